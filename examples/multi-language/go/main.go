// Writes a ConfigMap and reads all of them, with client-go, on the cluster that KUBECONFIG names.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		log.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		log.Fatal(err)
	}
	configMaps := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("default")
	greeting := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1",
		"kind":       "ConfigMap",
		"metadata":   map[string]any{"name": "from-go", "labels": map[string]any{"greeting": "yes"}},
		"data":       map[string]any{"text": "hello from Go"},
	}}
	if _, err := configMaps.Create(context.Background(), greeting, metav1.CreateOptions{}); err != nil {
		log.Fatal(err)
	}
	list, err := configMaps.List(context.Background(), metav1.ListOptions{LabelSelector: "greeting=yes"})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range list.Items {
		text, _, _ := unstructured.NestedString(item.Object, "data", "text")
		fmt.Println(text)
	}
}
