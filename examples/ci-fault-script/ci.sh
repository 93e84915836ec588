#!/usr/bin/env bash
# What a CI job runs: a program under faults, with a report of what happened.
set -euo pipefail

npx kube-mockserver explain plan.yaml

under() {
  local plan=$1
  shift
  npx kube-mockserver exec --quiet --faults "$plan" --report report --fail-on hot-loop,unfired -- "$@"
}

under plan.yaml node counter.js
cat report/explain.txt
ls report

# The program ends well this time, too, but asks far too often, as the report says: the job fails.
sed 's/times: 5/times: 50/' plan.yaml >more.yaml
code=0
under more.yaml node counter.js --careless || code=$?
[ "$code" -eq 3 ] || { echo "expected exit code 3, not $code"; exit 1; }
