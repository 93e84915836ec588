package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// contender takes part in an election of client-go until it is stopped, and says a line when it leads and when it does no more.
func contender(ctx context.Context, config *rest.Config, namespace, identity string) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	say := func(event string) { fmt.Printf("{\"event\":%q}\n", event) }
	say("CONTENDS")
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: namespace, Name: "go"},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
		},
		LeaseDuration: 3 * time.Second,
		RenewDeadline: 2 * time.Second,
		RetryPeriod:   500 * time.Millisecond,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { say("LEADS") },
			OnStoppedLeading: func() { say("STOPPED") },
		},
	})
	return nil
}
