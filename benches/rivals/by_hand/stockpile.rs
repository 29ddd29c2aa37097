//! Stockpile for four random players, by the rules of `games/stockpile` on the standard board without investors. Other setups are not
//! supported.

use super::Ended;
use super::lots::Lots;

const PLAYERS: usize = 4;
const ROUNDS: usize = 6;
const COMPANIES: usize = 6;
const BIDS: [i64; 8] = [0, 1, 3, 6, 10, 15, 20, 25];
const START_CASH: i64 = 20;
const START_PRICE: i64 = 5;
const SPLIT_PRICE: i64 = 6;
const TOP_PRICE: i64 = 10;
const SPLIT_BONUS: i64 = 10;
const DIVIDEND: i64 = 2;
const MAJORITY: i64 = 10;
const SHARED_MAJORITY: i64 = 5;

#[derive(Clone, Copy)]
enum Card {
    Stock(usize),
    Fee(i64),
    Action(i64),
}

#[derive(Clone, Copy)]
enum Forecast {
    Move(i64),
    Dividend,
}

#[derive(Clone, Copy)]
enum Sale {
    Stop,
    Share(usize),
    Split(usize),
    Half(usize),
}

#[derive(Default)]
struct Player {
    cash: i64,
    stock: [i64; COMPANIES],
    split: [i64; COMPANIES],
    actions: Vec<i64>,
    debts: Vec<i64>,
}

impl Player {
    fn gain(&mut self, amount: i64) {
        self.cash += amount;
        self.settle();
    }

    /// Pays debts while the cash lasts, smallest debt first.
    fn settle(&mut self) {
        while let Some(at) = (0..self.debts.len()).min_by_key(|at| self.debts[*at]) {
            if self.debts[at] > self.cash {
                return;
            }
            self.cash -= self.debts.remove(at);
        }
    }

    /// Returns the number of shares in a company. A split share counts as two.
    fn shares(&self, company: usize) -> i64 {
        self.stock[company] + 2 * self.split[company]
    }
}

struct Game<'a> {
    lots: &'a mut Lots,
    decisions: u64,
    players: Vec<Player>,
    first: usize,
    price: [i64; COMPANIES],
    deck: Vec<Card>,
    piles: Vec<Vec<Card>>,
    /// Companies with their forecasts, in the order in which the forecasts are applied: each player's secret pair in turn order, then the
    /// public pair, then the sealed pair.
    tips: Vec<(usize, Forecast)>,
}

/// Plays a game. The scores are in turn order, starting with the first player of the first round.
pub(crate) fn play(players: usize, lots: &mut Lots) -> Ended {
    assert_eq!(players, PLAYERS, "it is written for four");
    let mut game = Game::new(lots);
    let order = game.turn_order();
    for _ in 0..ROUNDS {
        game.inform();
        game.supply();
        game.demand();
        game.act();
        game.sell();
        game.move_prices();
        game.first = (game.first + 1) % PLAYERS;
    }
    game.score();
    let worth = |player: &Player| if player.debts.is_empty() { player.cash } else { 0 };
    let scores = order.iter().map(|player| worth(&game.players[*player])).collect();
    Ended { decisions: game.decisions, scores }
}

impl<'a> Game<'a> {
    fn new(lots: &'a mut Lots) -> Self {
        let mut starters: Vec<usize> = (0..COMPANIES).collect();
        lots.shuffle(&mut starters);
        let mut players = Vec::new();
        for _ in 0..PLAYERS {
            let mut player = Player { cash: START_CASH, ..Player::default() };
            player.stock[starters.pop().expect("there are more companies than players")] += 1;
            players.push(player);
        }
        let mut deck: Vec<Card> = starters.into_iter().map(Card::Stock).collect();
        for company in 0..COMPANIES {
            deck.extend([Card::Stock(company); 9]);
        }
        for fee in [1, 2, 3] {
            deck.extend([Card::Fee(fee); 4]);
        }
        for by in [2, -2] {
            deck.extend([Card::Action(by); 4]);
        }
        lots.shuffle(&mut deck);
        let first = lots.below(PLAYERS);
        Game {
            lots,
            decisions: 0,
            players,
            first,
            price: [START_PRICE; COMPANIES],
            deck,
            piles: Vec::new(),
            tips: Vec::new(),
        }
    }

    /// Picks one of the options at random. A choice with a single option is not counted as a decision.
    fn choose<T: Copy>(&mut self, options: &[T]) -> T {
        if options.len() > 1 {
            self.decisions += 1;
        }
        self.lots.one_of(options)
    }

    fn turn_order(&self) -> Vec<usize> {
        (0..PLAYERS).map(|turn| (self.first + turn) % PLAYERS).collect()
    }

    fn draw(&mut self) -> Card {
        self.deck.pop().expect("the deck lasts for all rounds")
    }

    /// Pairs the companies with forecasts at random.
    fn inform(&mut self) {
        let mut companies: Vec<usize> = (0..COMPANIES).collect();
        let mut forecasts = [4, 2, 1, -2, -3].map(Forecast::Move).to_vec();
        forecasts.push(Forecast::Dividend);
        self.lots.shuffle(&mut companies);
        self.lots.shuffle(&mut forecasts);
        self.tips = companies.into_iter().zip(forecasts).collect();
    }

    /// Puts one card on each pile. Then each player puts two more cards on piles of the player's choice.
    fn supply(&mut self) {
        self.piles = (0..PLAYERS).map(|_| vec![self.draw()]).collect();
        let hands: Vec<[Card; 2]> = (0..PLAYERS).map(|_| [self.draw(), self.draw()]).collect();
        for hand in hands {
            let mut options = Vec::new();
            for up in 0..2 {
                for pile in 0..PLAYERS {
                    for other_pile in 0..PLAYERS {
                        options.push((up, pile, other_pile));
                    }
                }
            }
            let (up, pile, other_pile) = self.choose(&options);
            self.piles[pile].push(hand[up]);
            self.piles[other_pile].push(hand[1 - up]);
        }
    }

    /// Lets the players bid until each of them leads on a pile. Then they pay, take their piles and settle debts.
    fn demand(&mut self) {
        let order = self.turn_order();
        // For each pile: the bidder and the bid.
        let mut bids: Vec<Option<(usize, i64)>> = vec![None; PLAYERS];
        let mut turn = 0;
        while bids.iter().any(Option::is_none) {
            let player = order[turn % PLAYERS];
            turn += 1;
            if bids.iter().flatten().any(|(bidder, _)| *bidder == player) {
                continue;
            }
            let mut options = Vec::new();
            for (pile, standing) in bids.iter().enumerate() {
                for bid in BIDS {
                    if bid <= self.players[player].cash && standing.is_none_or(|(_, least)| bid > least) {
                        options.push((pile, bid));
                    }
                }
            }
            let (pile, bid) = self.choose(&options);
            bids[pile] = Some((player, bid));
        }
        for (pile, bid) in bids.into_iter().enumerate() {
            let (player, price) = bid.expect("every pile has a bid");
            self.take(player, pile, price);
        }
        for player in &mut self.players {
            player.settle();
        }
    }

    fn take(&mut self, player: usize, pile: usize, price: i64) {
        let player = &mut self.players[player];
        player.cash -= price;
        for card in &self.piles[pile] {
            match card {
                Card::Stock(company) => player.stock[*company] += 1,
                Card::Fee(fee) => player.debts.push(*fee),
                Card::Action(by) => player.actions.push(*by),
            }
        }
    }

    /// Lets the players play all their actions, which move prices.
    fn act(&mut self) {
        for player in self.turn_order() {
            while !self.players[player].actions.is_empty() {
                let mut options = Vec::new();
                for by in [2, -2] {
                    if self.players[player].actions.contains(&by) {
                        options.extend((0..COMPANIES).map(|company| (by, company)));
                    }
                }
                let (by, company) = self.choose(&options);
                let actions = &mut self.players[player].actions;
                let at = actions.iter().position(|held| *held == by).expect("it is held");
                actions.remove(at);
                self.move_price(company, by);
            }
        }
    }

    /// Lets each player sell any number of shares, one sale at a time.
    fn sell(&mut self) {
        for player in self.turn_order() {
            loop {
                let options = self.sales(player);
                let sale = self.choose(&options);
                let price = self.price;
                let seller = &mut self.players[player];
                match sale {
                    Sale::Stop => break,
                    Sale::Share(company) => {
                        seller.stock[company] -= 1;
                        seller.gain(price[company]);
                    }
                    Sale::Split(company) => {
                        seller.split[company] -= 1;
                        seller.gain(2 * price[company]);
                    }
                    Sale::Half(company) => {
                        seller.split[company] -= 1;
                        seller.stock[company] += 1;
                        seller.gain(price[company]);
                    }
                }
            }
        }
    }

    /// Returns the sales that a player can make next, and the option to stop.
    fn sales(&self, player: usize) -> Vec<Sale> {
        let player = &self.players[player];
        let mut sales = vec![Sale::Stop];
        for company in 0..COMPANIES {
            if player.stock[company] > 0 {
                sales.push(Sale::Share(company));
            }
            if player.split[company] > 0 {
                sales.push(Sale::Split(company));
                sales.push(Sale::Half(company));
            }
        }
        sales
    }

    fn move_prices(&mut self) {
        for (company, forecast) in self.tips.clone() {
            match forecast {
                Forecast::Move(by) => self.move_price(company, by),
                Forecast::Dividend => self.pay_dividend(company),
            }
        }
    }

    /// Pays a company's dividend for all split shares, and for as many other shares as their owner chooses to show.
    fn pay_dividend(&mut self, company: usize) {
        for player in self.turn_order() {
            let split = self.players[player].split[company];
            self.players[player].gain(2 * DIVIDEND * split);
            let options: Vec<i64> = (0..=self.players[player].stock[company]).collect();
            let shown = self.choose(&options);
            self.players[player].gain(DIVIDEND * shown);
        }
    }

    /// Moves a price step by step. Each step may split the shares or make the company bankrupt.
    fn move_price(&mut self, company: usize, by: i64) {
        for _ in 0..by.abs() {
            self.price[company] += by.signum();
            if self.price[company] > TOP_PRICE {
                self.split(company);
            } else if self.price[company] < 1 {
                self.go_bankrupt(company);
                return;
            }
        }
    }

    fn split(&mut self, company: usize) {
        for player in &mut self.players {
            player.gain(SPLIT_BONUS * player.split[company]);
            player.split[company] += player.stock[company];
            player.stock[company] = 0;
        }
        self.price[company] = SPLIT_PRICE;
    }

    fn go_bankrupt(&mut self, company: usize) {
        for player in &mut self.players {
            player.stock[company] = 0;
            player.split[company] = 0;
        }
        self.price[company] = START_PRICE;
    }

    /// Pays the majority bonuses, and pays every share at its price.
    fn score(&mut self) {
        for company in 0..COMPANIES {
            let most = self.players.iter().map(|player| player.shares(company)).max().unwrap_or(0);
            if most == 0 {
                continue;
            }
            let leaders = self.players.iter().filter(|player| player.shares(company) == most).count();
            let bonus = if leaders == 1 { MAJORITY } else { SHARED_MAJORITY };
            for player in &mut self.players {
                if player.shares(company) == most {
                    player.gain(bonus);
                }
            }
        }
        let price = self.price;
        for player in &mut self.players {
            player.gain((0..COMPANIES).map(|company| player.shares(company) * price[company]).sum());
        }
    }
}
