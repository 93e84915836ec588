// Follows the ConfigMaps of a namespace with an informer of client-go, and prints what its handler is told, one line each.
// It ends when standard input does.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
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
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	configMaps := schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	everything := func(*metav1.ListOptions) {}
	informer := dynamicinformer.NewFilteredDynamicInformer(client, configMaps, "default", 0, cache.Indexers{}, everything).Informer()
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { fmt.Println("added", object.(*unstructured.Unstructured).GetName()) },
	})
	if err != nil {
		log.Fatal(err)
	}
	go informer.RunWithContext(ctx)
	if cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		fmt.Println("synced")
	}
	<-ctx.Done()
}
