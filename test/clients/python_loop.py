"""Follows ConfigMaps as the Python client's documentation advises: lists them, watches from there, and lists again when
told that the version is gone. Many servers at a time, since importing the client takes longer than all else.

Each line of standard input is a job, {"id", "kubeconfig", "work"} with work "follow", "lead" or "stop"; each line of
standard output is {"id", "event", "name"}.
"""

import json
import sys
import threading
import time

import urllib3
from kubernetes import client, config, watch

NAMESPACE = "default"
stopped = set()
saying = threading.Lock()


class Job:
    def __init__(self, id, kubeconfig):
        self.id = id
        self.client = config.new_client_from_config(kubeconfig)

    def say(self, event, name=""):
        with saying:
            print(json.dumps({"id": self.id, "event": event, "name": name}), flush=True)

    def follow(self):
        core = client.CoreV1Api(self.client)
        version = None
        while self.id not in stopped:
            try:
                if version is None:
                    listed = core.list_namespaced_config_map(NAMESPACE)
                    for item in listed.items:
                        self.say("LISTED", item.metadata.name)
                    version = listed.metadata.resource_version
                changes = watch.Watch().stream(
                    core.list_namespaced_config_map, NAMESPACE, resource_version=version
                )
                for change in changes:
                    item = change["object"]
                    version = item.metadata.resource_version
                    self.say(change["type"], item.metadata.name + (item.data or {}).get("text", ""))
            except client.ApiException as error:
                self.say("REFUSED", str(error.status))
                if error.status == 410:
                    version = None
            except urllib3.exceptions.HTTPError as error:
                self.say("BROKEN", type(error).__name__)
            time.sleep(0.1)

    def lead(self):
        leases = client.CoordinationV1Api(self.client)
        lease = client.V1Lease(
            metadata=client.V1ObjectMeta(name="lead"), spec=client.V1LeaseSpec(holder_identity="me")
        )
        made = leases.create_namespaced_lease(NAMESPACE, lease)
        made.spec.lease_duration_seconds = 7
        try:
            leases.replace_namespaced_lease("lead", NAMESPACE, made)
            self.say("RENEWED")
        except client.ApiException as error:
            self.say("REFUSED", str(error.status))
        current = leases.read_namespaced_lease("lead", NAMESPACE)
        self.say("STORED", str(current.spec.lease_duration_seconds))


for line in sys.stdin:
    asked = json.loads(line)
    if asked["work"] == "stop":
        stopped.add(asked["id"])
    else:
        job = Job(asked["id"], asked["kubeconfig"])
        threading.Thread(target=getattr(job, asked["work"]), daemon=True).start()
