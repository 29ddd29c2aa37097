#!/usr/bin/env bash
# Plays one batch as a job array of 64 tasks. When all are done, merge them: parlour merge runs/big/part-* --out runs/big/whole
#SBATCH --array=1-64
#SBATCH --cpus-per-task=1
#SBATCH --signal=TERM@60
set -euo pipefail
# A task that runs out of time stops its games and keeps the finished ones. Run the array again for the numbers of the missing tasks.
parlour simulate stockpile --games 100000 --players 4 --seed 7 \
    --shard "$SLURM_ARRAY_TASK_ID/64" --jobs 1 --out "runs/big/part-$SLURM_ARRAY_TASK_ID"
