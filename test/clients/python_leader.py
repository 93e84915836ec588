"""Takes part in an election with the Python client until it is stopped. One JSON object a line on standard output.

usage: python_leader.py KUBECONFIG NAMESPACE IDENTITY
"""

import json
import sys
import threading

from kubernetes import config
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.leaselock import LeaseLock


def say(event):
    print(json.dumps({"event": event}), flush=True)


def lead():
    say("LEADS")
    threading.Event().wait()


kubeconfig, namespace, identity = sys.argv[1:4]
config.load_kube_config(kubeconfig)
say("CONTENDS")
leaderelection.LeaderElection(
    electionconfig.Config(
        LeaseLock("python", namespace, identity),
        lease_duration=3,
        renew_deadline=2,
        retry_period=1,
        onstarted_leading=lead,
        onstopped_leading=lambda: say("STOPPED"),
    )
).run()
