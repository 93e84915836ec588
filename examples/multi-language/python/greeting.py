"""Writes a ConfigMap and reads all of them, with the Python client, on the cluster that KUBECONFIG names."""

from kubernetes import client, config

config.load_kube_config()
core = client.CoreV1Api()
core.create_namespaced_config_map(
    "default",
    client.V1ConfigMap(
        metadata=client.V1ObjectMeta(name="from-python", labels={"greeting": "yes"}),
        data={"text": "hello from Python"},
    ),
)
for item in core.list_namespaced_config_map("default", label_selector="greeting=yes").items:
    print(item.data["text"])
