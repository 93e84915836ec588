#!/usr/bin/env bash
# Writes a ConfigMap and reads all of them, with kubectl, on the cluster that KUBECONFIG names.
set -euo pipefail
kubectl create configmap from-kubectl --from-literal='text=hello from kubectl'
kubectl label configmap from-kubectl greeting=yes
kubectl get configmaps -l greeting=yes -o 'jsonpath={range .items[*]}{.data.text}{"\n"}{end}'
