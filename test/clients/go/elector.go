package main

import (
	"context"
	"time"

	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// elect takes a lease and renews it until the context ends. It prints LEADS and, should it lose the lease, LOST.
func elect(ctx context.Context, config *rest.Config, namespace, lease string) error {
	client, err := coordination.NewForConfig(config)
	if err != nil {
		return err
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: lease, Namespace: namespace},
			Client:     client,
			LockConfig: resourcelock.ResourceLockConfig{Identity: "elector"},
		},
		LeaseDuration: 60 * time.Second,
		RenewDeadline: 40 * time.Second,
		RetryPeriod:   300 * time.Millisecond,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { print(line{Event: "LEADS", Name: lease}) },
			OnStoppedLeading: func() { print(line{Event: "LOST", Name: lease}) },
		},
	})
	return nil
}
