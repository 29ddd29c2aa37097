"""Stockpile for four random players, by the rules of `games/stockpile` on the standard board without investors."""

import random

PLAYERS = 4
ROUNDS = 6
COMPANIES = ["cosmic", "bottomline", "leading", "american", "stanford", "epic"]
FORECASTS = [4, 2, 1, "dividend", -2, -3]
BIDS = [0, 1, 3, 6, 10, 15, 20, 25]
START_CASH = 20
START_PRICE = 5
SPLIT_PRICE = 6
TOP_PRICE = 10
SPLIT_BONUS = 10
DIVIDEND = 2
MAJORITY = 10
SHARED_MAJORITY = 5


class Player:
    def __init__(self):
        self.cash = START_CASH
        self.stock = {company: 0 for company in COMPANIES}
        self.split = {company: 0 for company in COMPANIES}
        self.actions = []
        self.debts = []

    def gain(self, amount):
        self.cash += amount
        self.settle()

    def settle(self):
        while self.debts and min(self.debts) <= self.cash:
            fee = min(self.debts)
            self.debts.remove(fee)
            self.cash -= fee

    def shares(self, company):
        return self.stock[company] + 2 * self.split[company]


class Game:
    def __init__(self):
        self.decisions = 0
        self.players = [Player() for _ in range(PLAYERS)]
        self.first = random.randrange(PLAYERS)
        self.price = {company: START_PRICE for company in COMPANIES}
        starters = COMPANIES[:]
        random.shuffle(starters)
        self.deck = [("stock", company) for company in COMPANIES for _ in range(9)]
        self.deck += [("fee", fee) for fee in [1, 2, 3] for _ in range(4)]
        self.deck += [("action", by) for by in [2, -2] for _ in range(4)]
        for player in self.players:
            player.stock[starters.pop()] += 1
        self.deck += [("stock", company) for company in starters]
        random.shuffle(self.deck)

    def choose(self, options):
        if len(options) > 1:
            self.decisions += 1
        return random.choice(options)

    def turn_order(self):
        return [self.players[(self.first + turn) % PLAYERS] for turn in range(PLAYERS)]

    def play(self):
        """Plays the game. Returns the worth of each player, beginning with the first player of the first round."""
        seats = self.turn_order()
        for _ in range(ROUNDS):
            self.inform()
            self.supply()
            self.demand()
            self.act()
            self.sell()
            self.move()
            self.first = (self.first + 1) % PLAYERS
        self.score()
        return [0 if player.debts else player.cash for player in seats]

    def inform(self):
        companies = COMPANIES[:]
        forecasts = FORECASTS[:]
        random.shuffle(companies)
        random.shuffle(forecasts)
        # In the order in which they are applied: the secret pairs in turn order, the public one, the sealed one.
        self.tips = list(zip(companies, forecasts))

    def supply(self):
        self.lots = [[self.deck.pop()] for _ in range(PLAYERS)]
        hands = [[self.deck.pop(), self.deck.pop()] for _ in range(PLAYERS)]
        lots = range(PLAYERS)
        for hand in hands:
            up, lot, other_lot = self.choose([(up, a, b) for up in [0, 1] for a in lots for b in lots])
            self.lots[lot].append(hand[up])
            self.lots[other_lot].append(hand[1 - up])

    def demand(self):
        bids = {}  # at random: who bids, and how much
        order = self.turn_order()
        turn = 0
        while len(bids) < len(self.lots):
            player = order[turn % PLAYERS]
            turn += 1
            if any(bidder is player for bidder, _ in bids.values()):
                continue
            lot, bid = self.choose([
                (lot, bid)
                for lot in range(len(self.lots))
                for bid in BIDS
                if bid <= player.cash and (lot not in bids or bid > bids[lot][1])
            ])
            bids[lot] = (player, bid)
        for lot, (player, bid) in bids.items():
            player.cash -= bid
            for kind, what in self.lots[lot]:
                if kind == "stock":
                    player.stock[what] += 1
                elif kind == "fee":
                    player.debts.append(what)
                else:
                    player.actions.append(what)
        for player in order:
            player.settle()

    def act(self):
        for player in self.turn_order():
            while player.actions:
                kinds = sorted(set(player.actions))
                by, company = self.choose([(by, company) for by in kinds for company in COMPANIES])
                player.actions.remove(by)
                self.move_price(company, by)

    def sell(self):
        for player in self.turn_order():
            while True:
                options = [("stop", None)]
                options += [("share", company) for company in COMPANIES if player.stock[company]]
                options += [(what, company) for what in ["split", "half"] for company in COMPANIES if player.split[company]]
                what, company = self.choose(options)
                if what == "stop":
                    break
                if what == "share":
                    player.stock[company] -= 1
                    player.gain(self.price[company])
                elif what == "split":
                    player.split[company] -= 1
                    player.gain(2 * self.price[company])
                else:
                    player.split[company] -= 1
                    player.stock[company] += 1
                    player.gain(self.price[company])

    def move(self):
        for company, forecast in self.tips:
            if forecast == "dividend":
                self.pay_dividend(company)
            else:
                self.move_price(company, forecast)

    def pay_dividend(self, company):
        for player in self.turn_order():
            player.gain(2 * DIVIDEND * player.split[company])
            shown = self.choose(range(player.stock[company] + 1))
            player.gain(DIVIDEND * shown)

    def move_price(self, company, by):
        for _ in range(abs(by)):
            self.price[company] += 1 if by > 0 else -1
            if self.price[company] > TOP_PRICE:
                self.split(company)
            elif self.price[company] < 1:
                self.go_bankrupt(company)
                return

    def split(self, company):
        for player in self.turn_order():
            player.gain(SPLIT_BONUS * player.split[company])
            player.split[company] += player.stock[company]
            player.stock[company] = 0
        self.price[company] = SPLIT_PRICE

    def go_bankrupt(self, company):
        for player in self.players:
            player.stock[company] = 0
            player.split[company] = 0
        self.price[company] = START_PRICE

    def score(self):
        for company in COMPANIES:
            most = max(player.shares(company) for player in self.players)
            leaders = [player for player in self.players if 0 < player.shares(company) == most]
            for player in leaders:
                player.gain(MAJORITY if len(leaders) == 1 else SHARED_MAJORITY)
        for player in self.players:
            player.gain(sum(player.shares(company) * self.price[company] for company in COMPANIES))


def play(players):
    """Plays a game. Returns the number of decisions and the worth of each player."""
    assert players == PLAYERS
    game = Game()
    worth = game.play()
    return game.decisions, worth
