"""Lists ConfigMaps, then watches them, with the Python client. One JSON object a line on standard output.

usage: python_watch.py KUBECONFIG NAMESPACE SECONDS
"""

import json
import sys

from kubernetes import client, config, watch


def say(**line):
    print(json.dumps(line), flush=True)


kubeconfig, namespace, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
config.load_kube_config(kubeconfig)
core = client.CoreV1Api()
listed = core.list_namespaced_config_map(namespace)
say(
    event="LIST",
    names=[item.metadata.name for item in listed.items],
    resourceVersion=listed.metadata.resource_version,
)
stream = watch.Watch().stream(
    core.list_namespaced_config_map,
    namespace,
    resource_version=listed.metadata.resource_version,
    timeout_seconds=seconds,
)
for change in stream:
    say(
        event=change["type"],
        name=change["object"].metadata.name,
        resourceVersion=change["object"].metadata.resource_version,
        data=change["object"].data,
    )

made = core.create_namespaced_config_map(
    namespace, client.V1ConfigMap(metadata=client.V1ObjectMeta(name="from-python"), data={"a": "1"})
)
patched = core.patch_namespaced_config_map("from-python", namespace, {"data": {"b": "2"}})
say(event="PATCHED", name=patched.metadata.name, data=patched.data)
deleted = core.delete_namespaced_config_map("from-python", namespace)
status = core.api_client.sanitize_for_serialization(deleted)
same = status["details"]["uid"] == made.metadata.uid
say(event="DELETE-ANSWER", name=status["details"]["name"], kind=status["kind"], sameUid=same)
try:
    core.read_namespaced_config_map("from-python", namespace)
except client.ApiException as error:
    say(event="REFUSED", status=error.status, reason=json.loads(error.body)["reason"])
