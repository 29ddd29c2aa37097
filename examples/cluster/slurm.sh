#!/usr/bin/env bash
# One batch as a job array of 64 tasks; then, when all are done: parlour merge runs/big/part-* --out runs/big/whole
#SBATCH --array=1-64
#SBATCH --cpus-per-task=1
#SBATCH --signal=TERM@60
set -euo pipefail
# A task that runs out of time ends its games under way and keeps what is done: play the missing ones again by their number.
parlour simulate stockpile --games 100000 --players 4 --seed 7 \
    --shard "$SLURM_ARRAY_TASK_ID/64" --jobs 1 --out "runs/big/part-$SLURM_ARRAY_TASK_ID"
