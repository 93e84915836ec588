package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
)

// verbs are those that every typed client has.
type verbs[Object metav1.Object, List runtime.Object] interface {
	Create(context.Context, Object, metav1.CreateOptions) (Object, error)
	Update(context.Context, Object, metav1.UpdateOptions) (Object, error)
	Get(context.Context, string, metav1.GetOptions) (Object, error)
	List(context.Context, metav1.ListOptions) (List, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

const kindsName = "typed-kind"

// walkKind creates an object, labels it, finds it again as it was written, and deletes it.
func walkKind[Object metav1.Object, List runtime.Object](ctx context.Context, client verbs[Object, List], object Object) error {
	object.SetName(kindsName)
	made, err := client.Create(ctx, object, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.SetLabels(map[string]string{"by": kindsName})
	updated, err := client.Update(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	got, err := client.Get(ctx, kindsName, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if !equality.Semantic.DeepEqual(got, updated) || got.GetLabels()["by"] != kindsName {
		return fmt.Errorf("got %v, want %v", got, updated)
	}
	list, err := client.List(ctx, metav1.ListOptions{LabelSelector: "by=" + kindsName})
	if err != nil {
		return err
	}
	if meta.LenList(list) != 1 {
		return fmt.Errorf("%d in the list", meta.LenList(list))
	}
	background := metav1.DeletePropagationBackground
	if err := client.Delete(ctx, kindsName, metav1.DeleteOptions{PropagationPolicy: &background}); err != nil {
		return err
	}
	if _, err := client.Get(ctx, kindsName, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("after the delete: %v", err)
	}
	return nil
}

// kinds walks typed clients of many kinds. Shape: the names of those that were walked.
func kinds(ctx context.Context, client kubernetes.Interface, namespace string) ([]string, error) {
	labels := map[string]string{"app": kindsName}
	selector := &metav1.LabelSelector{MatchLabels: labels}
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: podSpec()}
	once := *template.DeepCopy()
	once.Spec.RestartPolicy = corev1.RestartPolicyNever
	quantity := resource.MustParse("1Gi")
	half := intstr.FromString("50%")
	pathType := networkingv1.PathTypePrefix
	yes := true
	backend := networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{Name: "a", Port: networkingv1.ServiceBackendPort{Number: 80}}}
	rules := []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"get"}}}
	core, apps, batch, rbac := client.CoreV1(), client.AppsV1(), client.BatchV1(), client.RbacV1()

	steps := []struct {
		kind string
		walk func() error
	}{
		{"ConfigMap", func() error { return walkKind(ctx, core.ConfigMaps(namespace), &corev1.ConfigMap{Immutable: &yes}) }},
		{"Secret", func() error {
			return walkKind(ctx, core.Secrets(namespace), &corev1.Secret{Data: map[string][]byte{"a": {0, 255}}})
		}},
		{"ServiceAccount", func() error { return walkKind(ctx, core.ServiceAccounts(namespace), &corev1.ServiceAccount{}) }},
		{"Service", func() error {
			return walkKind(ctx, core.Services(namespace), &corev1.Service{Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80, TargetPort: intstr.FromString("http")}}}})
		}},
		{"Pod", func() error { return walkKind(ctx, core.Pods(namespace), &corev1.Pod{Spec: podSpec()}) }},
		{"PodTemplate", func() error {
			return walkKind(ctx, core.PodTemplates(namespace), &corev1.PodTemplate{Template: template})
		}},
		{"ReplicationController", func() error {
			return walkKind(ctx, core.ReplicationControllers(namespace), &corev1.ReplicationController{Spec: corev1.ReplicationControllerSpec{Selector: labels, Template: &template}})
		}},
		{"LimitRange", func() error {
			return walkKind(ctx, core.LimitRanges(namespace), &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
				{Type: corev1.LimitTypePod, Max: corev1.ResourceList{corev1.ResourceMemory: quantity}}}}})
		}},
		{"ResourceQuota", func() error {
			return walkKind(ctx, core.ResourceQuotas(namespace), &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourceMemory: quantity}}})
		}},
		{"Deployment", func() error {
			return walkKind(ctx, apps.Deployments(namespace), &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Selector: selector, Template: template}})
		}},
		{"ReplicaSet", func() error {
			return walkKind(ctx, apps.ReplicaSets(namespace), &appsv1.ReplicaSet{Spec: appsv1.ReplicaSetSpec{Selector: selector, Template: template}})
		}},
		{"StatefulSet", func() error {
			return walkKind(ctx, apps.StatefulSets(namespace), &appsv1.StatefulSet{Spec: appsv1.StatefulSetSpec{ServiceName: "a", Selector: selector, Template: template}})
		}},
		{"DaemonSet", func() error {
			return walkKind(ctx, apps.DaemonSets(namespace), &appsv1.DaemonSet{Spec: appsv1.DaemonSetSpec{Selector: selector, Template: template}})
		}},
		{"ControllerRevision", func() error {
			return walkKind(ctx, apps.ControllerRevisions(namespace), &appsv1.ControllerRevision{Revision: 3, Data: runtime.RawExtension{Raw: []byte(`{"a":[1]}`)}})
		}},
		{"Job", func() error {
			return walkKind(ctx, batch.Jobs(namespace), &batchv1.Job{Spec: batchv1.JobSpec{Template: once}})
		}},
		{"CronJob", func() error {
			return walkKind(ctx, batch.CronJobs(namespace), &batchv1.CronJob{Spec: batchv1.CronJobSpec{Schedule: "1 * * * *",
				JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: once}}}})
		}},
		{"Lease", func() error { return walkKind(ctx, client.CoordinationV1().Leases(namespace), &coordinationv1.Lease{}) }},
		{"HorizontalPodAutoscaler", func() error {
			return walkKind(ctx, client.AutoscalingV2().HorizontalPodAutoscalers(namespace), &autoscalingv2.HorizontalPodAutoscaler{Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
				MaxReplicas: 3, ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{Kind: "Deployment", Name: "a", APIVersion: "apps/v1"}}})
		}},
		{"PodDisruptionBudget", func() error {
			return walkKind(ctx, client.PolicyV1().PodDisruptionBudgets(namespace), &policyv1.PodDisruptionBudget{Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: &half, Selector: selector}})
		}},
		{"Ingress", func() error {
			return walkKind(ctx, client.NetworkingV1().Ingresses(namespace), &networkingv1.Ingress{Spec: networkingv1.IngressSpec{Rules: []networkingv1.IngressRule{{Host: "a.example",
				IngressRuleValue: networkingv1.IngressRuleValue{HTTP: &networkingv1.HTTPIngressRuleValue{Paths: []networkingv1.HTTPIngressPath{{Path: "/", PathType: &pathType, Backend: backend}}}}}}}})
		}},
		{"NetworkPolicy", func() error {
			return walkKind(ctx, client.NetworkingV1().NetworkPolicies(namespace), &networkingv1.NetworkPolicy{Spec: networkingv1.NetworkPolicySpec{PodSelector: *selector}})
		}},
		{"EndpointSlice", func() error {
			return walkKind(ctx, client.DiscoveryV1().EndpointSlices(namespace), &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4,
				Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"10.1.2.3"}}}})
		}},
		{"Role", func() error { return walkKind(ctx, rbac.Roles(namespace), &rbacv1.Role{Rules: rules}) }},
		{"RoleBinding", func() error {
			return walkKind(ctx, rbac.RoleBindings(namespace), &rbacv1.RoleBinding{RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "a"},
				Subjects: []rbacv1.Subject{{Kind: "User", Name: "u", APIGroup: rbacv1.GroupName}}})
		}},
		{"ClusterRole", func() error { return walkKind(ctx, rbac.ClusterRoles(), &rbacv1.ClusterRole{Rules: rules}) }},
		{"PriorityClass", func() error {
			return walkKind(ctx, client.SchedulingV1().PriorityClasses(), &schedulingv1.PriorityClass{Value: 5})
		}},
		{"StorageClass", func() error {
			return walkKind(ctx, client.StorageV1().StorageClasses(), &storagev1.StorageClass{Provisioner: "d.io/x"})
		}},
	}
	var walked []string
	for _, step := range steps {
		if err := step.walk(); err != nil {
			return walked, fmt.Errorf("%s: %w", step.kind, err)
		}
		walked = append(walked, step.kind)
	}
	return walked, nil
}
