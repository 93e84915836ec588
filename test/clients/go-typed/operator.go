package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "example.com/typed"

// operator keeps a ConfigMap beside each Deployment and reports it in the status; everything but the ports is default.
func operator(ctx context.Context, config *rest.Config, namespace string) (any, error) {
	seen := newTraffic()
	seen.watch(config)
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                 metricsserver.Options{BindAddress: "0"},
		Cache:                   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		LeaderElection:          true,
		LeaderElectionID:        "typed.example.com",
		LeaderElectionNamespace: namespace,
	})
	if err != nil {
		return nil, err
	}
	c := mgr.GetClient()
	reconcile := func(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
		var deployment appsv1.Deployment
		if err := c.Get(ctx, request.NamespacedName, &deployment); err != nil {
			return ctrl.Result{}, client.IgnoreNotFound(err)
		}
		if !deployment.DeletionTimestamp.IsZero() {
			if controllerutil.RemoveFinalizer(&deployment, finalizer) {
				return ctrl.Result{}, c.Update(ctx, &deployment)
			}
			return ctrl.Result{}, nil
		}
		if controllerutil.AddFinalizer(&deployment, finalizer) {
			return ctrl.Result{}, c.Update(ctx, &deployment)
		}
		child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: deployment.Namespace, Name: deployment.Name}}
		if _, err := controllerutil.CreateOrUpdate(ctx, c, child, func() error {
			child.Data = map[string]string{"replicas": fmt.Sprint(*deployment.Spec.Replicas)}
			return controllerutil.SetControllerReference(&deployment, child, mgr.GetScheme())
		}); err != nil {
			return ctrl.Result{}, err
		}
		account := accountOf(request.NamespacedName)
		account.SetLabels(map[string]string{"generation": fmt.Sprint(deployment.Generation)})
		if err := c.Apply(ctx, client.ApplyConfigurationFromUnstructured(account), client.FieldOwner("typed"), client.ForceOwnership); err != nil {
			return ctrl.Result{}, err
		}
		before := deployment.DeepCopy()
		deployment.Status.ObservedGeneration = deployment.Generation
		return ctrl.Result{}, c.Status().Patch(ctx, &deployment, client.MergeFrom(before))
	}
	if err := ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}, builder.OnlyMetadata).
		Watches(accountOf(client.ObjectKey{}), &handler.EnqueueRequestForObject{}).
		Complete(reconciler(reconcile)); err != nil {
		return nil, err
	}
	stopped := make(chan error, 1)
	running, stop := context.WithCancel(ctx)
	go func() { stopped <- mgr.Start(running) }()
	walked := walk(ctx, c, namespace)
	stop()
	if err := <-stopped; err != nil && walked == nil {
		walked = err
	}
	return seen, walked
}

// accountOf is a ServiceAccount without its Go type, so that the cache has it as a tree of values.
func accountOf(key client.ObjectKey) *unstructured.Unstructured {
	account := &unstructured.Unstructured{}
	account.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ServiceAccount"))
	account.SetNamespace(key.Namespace)
	account.SetName(key.Name)
	return account
}

type reconciler func(context.Context, ctrl.Request) (ctrl.Result, error)

func (f reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	return f(ctx, request)
}

// walk does as a user would and waits for what the operator makes of it.
func walk(ctx context.Context, c client.Client, namespace string) error {
	labels := map[string]string{"app": "operated"}
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "operated"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: podSpec()},
		},
	}
	if err := c.Create(ctx, deployment); err != nil {
		return err
	}
	key := client.ObjectKeyFromObject(deployment)
	if err := wait(ctx, "the status is written", func() (bool, error) {
		err := c.Get(ctx, key, deployment)
		return err == nil && deployment.Status.ObservedGeneration == deployment.Generation && deployment.Generation > 0, err
	}); err != nil {
		return err
	}
	var child corev1.ConfigMap
	if err := wait(ctx, "the child is there", func() (bool, error) {
		err := c.Get(ctx, key, &child)
		return err == nil && child.Data["replicas"] == "1", err
	}); err != nil {
		return err
	}
	child.Data["replicas"] = "wrong"
	if err := c.Update(ctx, &child); err != nil {
		return err
	}
	if err := wait(ctx, "the child is put right", func() (bool, error) {
		err := c.Get(ctx, key, &child)
		return err == nil && child.Data["replicas"] == "1", err
	}); err != nil {
		return err
	}
	account := accountOf(key)
	if err := c.Get(ctx, key, account); err != nil {
		return err
	}
	if account.GetLabels()["generation"] != "1" {
		return fmt.Errorf("what was applied is %v", account)
	}
	if err := c.Delete(ctx, account); err != nil {
		return err
	}
	if err := wait(ctx, "what was applied is applied again", func() (bool, error) {
		err := c.Get(ctx, key, account)
		return err == nil, err
	}); err != nil {
		return err
	}
	if err := c.Delete(ctx, deployment); err != nil {
		return err
	}
	return wait(ctx, "the deployment is gone", func() (bool, error) {
		err := c.Get(ctx, key, deployment)
		return errors.IsNotFound(err), err
	})
}
