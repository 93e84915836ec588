package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

type clientsetReport struct {
	*traffic
	Informed []string `json:"informed"`
	Kinds    []string `json:"kinds"`
}

// clientset walks the verbs of several kinds and an informer of one.
func clientset(ctx context.Context, config *rest.Config, namespace string, protobuf bool) (any, error) {
	seen := newTraffic()
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	if protobuf {
		config.ContentType = runtime.ContentTypeProtobuf
		config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	}
	seen.watch(config)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	informed, err := configMaps(ctx, client, namespace)
	if err != nil {
		return nil, fmt.Errorf("config maps: %w", err)
	}
	for name, walk := range map[string]func(context.Context, kubernetes.Interface, string) error{
		"pods": pods, "deployments": deployments, "leases": leases, "secrets": secrets, "tokens": tokens,
	} {
		if err := walk(ctx, client, namespace); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	walked, err := kinds(ctx, client, namespace)
	if err != nil {
		return nil, err
	}
	return clientsetReport{seen, informed, walked}, nil
}

func configMaps(ctx context.Context, client kubernetes.Interface, namespace string) ([]string, error) {
	maps := client.CoreV1().ConfigMaps(namespace)
	var mutex sync.Mutex
	var informed []string
	tell := func(event string, object any) {
		mutex.Lock()
		defer mutex.Unlock()
		if found, ok := object.(*corev1.ConfigMap); ok && found.Labels["by"] == "typed" {
			informed = append(informed, event+" "+found.Data["level"])
		}
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps().Informer()
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell("ADD", object) },
		UpdateFunc: func(_, object any) { tell("UPDATE", object) },
		DeleteFunc: func(object any) { tell("DELETE", object) },
	}); err != nil {
		return nil, err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())

	made, err := maps.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "typed-", Labels: map[string]string{"by": "typed"}},
		Data:       map[string]string{"level": "1", "10": "ten", "text": "äö\U0001f600"},
		BinaryData: map[string][]byte{"bytes": {0, 1, 255}},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	if _, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: made.Name}}, metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		return nil, fmt.Errorf("a second of the same name: %v", err)
	}
	stale := made.DeepCopy()
	made.Data["level"] = "2"
	updated, err := maps.Update(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return nil, err
	}
	if _, err := maps.Update(ctx, stale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		return nil, fmt.Errorf("an update of an old version: %v", err)
	}
	if _, err := maps.Patch(ctx, made.Name, types.MergePatchType, []byte(`{"data":{"level":"3"}}`), metav1.PatchOptions{}); err != nil {
		return nil, err
	}
	got, err := maps.Get(ctx, made.Name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	updated.Data["level"] = "3"
	if !equality.Semantic.DeepEqual(got.Data, updated.Data) || !equality.Semantic.DeepEqual(got.BinaryData, updated.BinaryData) {
		return nil, fmt.Errorf("got %v, want %v", got, updated)
	}
	if len(got.ManagedFields) == 0 || got.ManagedFields[0].FieldsV1 == nil {
		return nil, fmt.Errorf("nobody owns anything in %v", got)
	}
	list, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "by=typed"})
	if err != nil {
		return nil, err
	}
	if len(list.Items) != 1 || list.ResourceVersion == "" {
		return nil, fmt.Errorf("%d items at %q", len(list.Items), list.ResourceVersion)
	}
	uid := types.UID("another")
	if err := maps.Delete(ctx, made.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}}); !apierrors.IsConflict(err) {
		return nil, fmt.Errorf("a delete of another uid: %v", err)
	}
	if err := maps.Delete(ctx, made.Name, *metav1.NewPreconditionDeleteOptions(string(made.UID))); err != nil {
		return nil, err
	}
	if _, err := maps.Get(ctx, made.Name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("after the delete: %v", err)
	}
	err = wait(ctx, "the delete is told", func() (bool, error) {
		mutex.Lock()
		defer mutex.Unlock()
		return slices.Contains(informed, "DELETE 3"), nil
	})
	mutex.Lock()
	defer mutex.Unlock()
	return slices.Clone(informed), err
}

func podSpec() corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{
		Name: "main", Image: "example.com/main:1",
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("0.1")}},
		ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
			HTTPGet: &corev1.HTTPGetAction{Path: "/ready", Port: intstr.FromString("http")}}},
	}}}
}

func pods(ctx context.Context, client kubernetes.Interface, namespace string) error {
	pods := client.CoreV1().Pods(namespace)
	made, err := pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "typed"}, Spec: podSpec()}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	container := made.Spec.Containers[0]
	if cpu := container.Resources.Requests[corev1.ResourceCPU]; cpu.String() != "100m" {
		return fmt.Errorf("0.1 CPU became %s", cpu.String())
	}
	if container.ReadinessProbe.HTTPGet.Port.String() != "http" || container.ReadinessProbe.PeriodSeconds != 10 {
		return fmt.Errorf("the probe became %v", container.ReadinessProbe)
	}
	made.Status.Phase = corev1.PodRunning
	now := metav1.Now()
	made.Status.StartTime = &now
	ready, err := pods.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	if ready.Status.Phase != corev1.PodRunning || ready.Status.StartTime.Unix() != now.Unix() {
		return fmt.Errorf("the status became %v", ready.Status)
	}
	if err := pods.EvictV1(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "typed"}}); err != nil {
		return fmt.Errorf("eviction: %w", err)
	}
	if _, err := pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "typed-2"}, Spec: podSpec()}, metav1.CreateOptions{}); err != nil {
		return err
	}
	return pods.DeleteCollection(ctx, *metav1.NewDeleteOptions(0), metav1.ListOptions{})
}

func deployments(ctx context.Context, client kubernetes.Interface, namespace string) error {
	deployments := client.AppsV1().Deployments(namespace)
	labels := map[string]string{"app": "typed"}
	made, err := deployments.Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "typed"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: podSpec()},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if made.Spec.Replicas == nil || *made.Spec.Replicas != 1 || made.Spec.Strategy.RollingUpdate.MaxSurge.String() != "25%" {
		return fmt.Errorf("the defaults are %v", made.Spec)
	}
	scale, err := deployments.GetScale(ctx, "typed", metav1.GetOptions{})
	if err != nil {
		return err
	}
	scaled, err := deployments.UpdateScale(ctx, "typed", &autoscalingv1.Scale{
		ObjectMeta: scale.ObjectMeta, Spec: autoscalingv1.ScaleSpec{Replicas: 0}}, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	if scaled.Spec.Replicas != 0 {
		return fmt.Errorf("scaled to %d", scaled.Spec.Replicas)
	}
	foreground := metav1.DeletePropagationForeground
	return deployments.Delete(ctx, "typed", metav1.DeleteOptions{PropagationPolicy: &foreground})
}

func leases(ctx context.Context, client kubernetes.Interface, namespace string) error {
	leases := client.CoordinationV1().Leases(namespace)
	holder, seconds := "typed", int32(15)
	now := metav1.NewMicroTime(time.Now().Truncate(time.Microsecond))
	made, err := leases.Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: "typed"},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: &seconds, RenewTime: &now},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if !made.Spec.RenewTime.Equal(&now) {
		return fmt.Errorf("%v became %v", now, made.Spec.RenewTime)
	}
	return leases.Delete(ctx, "typed", metav1.DeleteOptions{})
}

func secrets(ctx context.Context, client kubernetes.Interface, namespace string) error {
	secrets := client.CoreV1().Secrets(namespace)
	made, err := secrets.Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "typed"}, StringData: map[string]string{"a": "1"}, Data: map[string][]byte{"b": []byte("2")},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if string(made.Data["a"]) != "1" || string(made.Data["b"]) != "2" || made.Type != corev1.SecretTypeOpaque {
		return fmt.Errorf("it became %v", made)
	}
	return secrets.Delete(ctx, "typed", metav1.DeleteOptions{})
}

func tokens(ctx context.Context, client kubernetes.Interface, namespace string) error {
	accounts := client.CoreV1().ServiceAccounts(namespace)
	if _, err := accounts.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "typed"}}, metav1.CreateOptions{}); err != nil {
		return err
	}
	token, err := accounts.CreateToken(ctx, "typed", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	review, err := client.AuthenticationV1().TokenReviews().Create(ctx, &authenticationv1.TokenReview{
		Spec: authenticationv1.TokenReviewSpec{Token: token.Status.Token}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if !review.Status.Authenticated {
		return fmt.Errorf("the token is not known: %v", review.Status)
	}
	return accounts.Delete(ctx, "typed", metav1.DeleteOptions{})
}
