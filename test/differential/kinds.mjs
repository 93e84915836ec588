/** The kinds that scenarios are about: where they are served, a small valid object, and valid changes of it. */
import { row } from './kind-row.mjs';
import { RARER_KINDS } from './rarer-kinds.mjs';

const labels = { app: 'a' };
const container = { name: 'c', image: 'i:1' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };

const cluster = { namespaced: false };
const workload = { status: true, scale: true };
const podChanges = (root) => [
  [
    [...root, 'terminationGracePeriodSeconds'],
    [0, 5, 30],
  ],
  [
    [...root, 'nodeSelector'],
    [{ disk: 'ssd' }, { zone: 'z' }],
  ],
  [
    [...root, 'priorityClassName'],
    ['', 'system-node-critical'],
  ],
  [
    [...root, 'containers', 0, 'image'],
    ['i:2', 'i', 'r.io/i@sha256:0'],
  ],
  [
    [...root, 'containers', 0, 'env'],
    [
      [{ name: 'A', value: '1' }],
      [{ name: 'B' }],
      [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    ],
  ],
  [
    [...root, 'containers', 0, 'ports'],
    [
      [{ containerPort: 80 }],
      [
        { containerPort: 80, name: 'http' },
        { containerPort: 81, protocol: 'UDP' },
      ],
    ],
  ],
  [
    [...root, 'containers', 0, 'resources'],
    [{ limits: { cpu: '1', memory: '1Gi' } }, { requests: { cpu: '100m' } }],
  ],
  [
    [...root, 'containers', 0, 'livenessProbe'],
    [
      { httpGet: { port: 80 } },
      { exec: { command: ['a'] }, periodSeconds: 3 },
      { tcpSocket: { port: 'http' } },
    ],
  ],
  [
    [...root, 'volumes'],
    [
      [{ name: 'v', emptyDir: {} }],
      [{ name: 'v', configMap: { name: 'm' } }],
      [{ name: 'w', secret: { secretName: 's' } }],
    ],
  ],
  [
    [...root, 'tolerations'],
    [[{ key: 'k', operator: 'Exists' }], [{ key: 'k', value: 'v', effect: 'NoSchedule' }]],
  ],
];

/** @type {readonly import('./kind-row.mjs').Kind[]} */
export const KINDS = [
  row(14, 'v1', 'ConfigMap', 'configmaps', { data: { k: 'v' } }, [
    [
      ['data', 'k'],
      ['1', '2', ''],
    ],
    [
      ['data', 'j'],
      ['x', 'y'],
    ],
    [['binaryData'], [{ b: 'AAE=' }, {}]],
    [['immutable'], [false]],
    [['data'], [{}, { a: '1', b: '2' }]],
  ]),
  row(5, 'v1', 'Secret', 'secrets', { data: { k: 'dg==' } }, [
    [
      ['data', 'k'],
      ['dg==', 'eA==', ''],
    ],
    [['stringData'], [{ s: 't' }]],
    [['immutable'], [false]],
  ]),
  row(
    8,
    'v1',
    'Pod',
    'pods',
    { spec: { containers: [container] } },
    [
      [
        ['spec', 'containers', 0, 'image'],
        ['i:2', 'j'],
      ],
      [
        ['spec', 'activeDeadlineSeconds'],
        [10, 5],
      ],
      [['spec', 'tolerations'], [[{ key: 'k', operator: 'Exists' }]]],
      [
        ['metadata', 'labels', 'tier'],
        ['front', 'back'],
      ],
    ],
    { status: true, fresh: podChanges(['spec']) },
  ),
  row(
    5,
    'v1',
    'Service',
    'services',
    { spec: { ports: [{ port: 80 }] } },
    [
      [
        ['spec', 'ports'],
        [
          [{ port: 81 }],
          [
            { port: 80, name: 'a' },
            { port: 81, name: 'b' },
          ],
          [{ port: 80, targetPort: 'x' }],
        ],
      ],
      [
        ['spec', 'selector'],
        [labels, { app: 'b' }],
      ],
      [
        ['spec', 'type'],
        ['ClusterIP', 'NodePort', 'LoadBalancer'],
      ],
      [
        ['spec', 'sessionAffinity'],
        ['ClientIP', 'None'],
      ],
      [
        ['spec', 'publishNotReadyAddresses'],
        [true, false],
      ],
    ],
    { status: true },
  ),
  row(3, 'v1', 'ServiceAccount', 'serviceaccounts', {}, [
    [['automountServiceAccountToken'], [true, false]],
    [['imagePullSecrets'], [[{ name: 'p' }], []]],
  ]),
  row(
    2,
    'v1',
    'Endpoints',
    'endpoints',
    { subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }] },
    [
      [
        ['subsets', 0, 'ports'],
        [[{ port: 81, name: 'a' }], [{ port: 1, protocol: 'UDP' }]],
      ],
    ],
  ),
  row(
    2,
    'v1',
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    [
      [
        ['metadata', 'labels', 'tier'],
        ['front', 'back'],
      ],
    ],
    { status: true },
  ),
  row(
    2,
    'v1',
    'LimitRange',
    'limitranges',
    { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '5Ti' } }] } },
    [
      [
        ['spec', 'limits', 0, 'max', 'storage'],
        ['6Ti', '7Ti'],
      ],
    ],
  ),
  row(2, 'v1', 'PodTemplate', 'podtemplates', { template }, podChanges(['template', 'spec'])),
  row(
    2,
    'v1',
    'ReplicationController',
    'replicationcontrollers',
    { spec: { selector: labels, template } },
    [
      [
        ['spec', 'replicas'],
        [0, 1, 3],
      ],
      [
        ['spec', 'minReadySeconds'],
        [0, 5],
      ],
      ...podChanges(['spec', 'template', 'spec']).slice(2, 6),
    ],
    workload,
  ),
  row(
    2,
    'v1',
    'Event',
    'events',
    { involvedObject: { kind: 'Pod', name: 'x' }, reason: 'R', type: 'Normal' },
    [
      [['count'], [1, 2]],
      [['message'], ['m', 'n']],
    ],
  ),
  row(
    5,
    'apps/v1',
    'Deployment',
    'deployments',
    { spec: { selector: { matchLabels: labels }, template } },
    [
      [
        ['spec', 'replicas'],
        [0, 1, 3],
      ],
      [
        ['spec', 'paused'],
        [true, false],
      ],
      [
        ['spec', 'strategy'],
        [{ type: 'Recreate' }, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }],
      ],
      [
        ['spec', 'revisionHistoryLimit'],
        [0, 5],
      ],
      ...podChanges(['spec', 'template', 'spec']),
    ],
    workload,
  ),
  row(
    2,
    'apps/v1',
    'ReplicaSet',
    'replicasets',
    { spec: { selector: { matchLabels: labels }, template } },
    [
      [
        ['spec', 'replicas'],
        [0, 2],
      ],
      ...podChanges(['spec', 'template', 'spec']),
    ],
    workload,
  ),
  row(
    2,
    'apps/v1',
    'StatefulSet',
    'statefulsets',
    { spec: { serviceName: 's', selector: { matchLabels: labels }, template } },
    [
      [
        ['spec', 'replicas'],
        [0, 2],
      ],
      [
        ['spec', 'updateStrategy'],
        [{ type: 'OnDelete' }, { type: 'RollingUpdate', rollingUpdate: { partition: 1 } }],
      ],
      ...podChanges(['spec', 'template', 'spec']),
    ],
    workload,
  ),
  row(
    2,
    'apps/v1',
    'DaemonSet',
    'daemonsets',
    { spec: { selector: { matchLabels: labels }, template } },
    [
      [
        ['spec', 'updateStrategy'],
        [{ type: 'OnDelete' }, { type: 'RollingUpdate' }],
      ],
      [
        ['spec', 'minReadySeconds'],
        [0, 4],
      ],
      ...podChanges(['spec', 'template', 'spec']),
    ],
    { status: true },
  ),
  row(
    2,
    'batch/v1',
    'Job',
    'jobs',
    { spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } } } },
    [
      [
        ['spec', 'parallelism'],
        [0, 2],
      ],
      [
        ['spec', 'backoffLimit'],
        [0, 3],
      ],
      [
        ['spec', 'suspend'],
        [true, false],
      ],
    ],
    { status: true },
  ),
  row(
    2,
    'batch/v1',
    'CronJob',
    'cronjobs',
    {
      spec: {
        schedule: '* * * * *',
        jobTemplate: {
          spec: { template: { spec: { containers: [container], restartPolicy: 'OnFailure' } } },
        },
      },
    },
    [
      [
        ['spec', 'schedule'],
        ['@hourly', '0 * * * 1-5'],
      ],
      [
        ['spec', 'suspend'],
        [true, false],
      ],
      [
        ['spec', 'concurrencyPolicy'],
        ['Forbid', 'Replace', 'Allow'],
      ],
      [['spec', 'timeZone'], ['Etc/UTC']],
    ],
    { status: true },
  ),
  row(
    2,
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } } },
    [
      [
        ['spec', 'maxReplicas'],
        [2, 5],
      ],
      [
        ['spec', 'minReplicas'],
        [1, 2],
      ],
      [
        ['spec', 'metrics'],
        [
          [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
            },
          ],
        ],
      ],
    ],
    { status: true },
  ),
  row(3, 'coordination.k8s.io/v1', 'Lease', 'leases', { spec: { holderIdentity: 'h' } }, [
    [
      ['spec', 'holderIdentity'],
      ['i', 'j'],
    ],
    [
      ['spec', 'leaseDurationSeconds'],
      [10, 15],
    ],
    [['spec', 'renewTime'], ['2024-01-02T03:04:05.000006Z']],
  ]),
  row(
    2,
    'networking.k8s.io/v1',
    'Ingress',
    'ingresses',
    { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
    [
      [
        ['spec', 'ingressClassName'],
        ['x', 'y'],
      ],
      [
        ['spec', 'rules'],
        [
          [
            {
              host: 'a.b',
              http: {
                paths: [
                  {
                    path: '/',
                    pathType: 'Prefix',
                    backend: { service: { name: 's', port: { name: 'http' } } },
                  },
                ],
              },
            },
          ],
          [{ host: '*.b.c' }],
        ],
      ],
      [['spec', 'tls'], [[{ hosts: ['a.b'], secretName: 't' }]]],
    ],
    { status: true },
  ),
  row(2, 'networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', { spec: { podSelector: {} } }, [
    [
      ['spec', 'podSelector'],
      [{ matchLabels: labels }, { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
    ],
    [
      ['spec', 'ingress'],
      [[{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }], [{ ports: [{ port: 80 }] }], []],
    ],
    [
      ['spec', 'policyTypes'],
      [['Ingress'], ['Egress', 'Ingress']],
    ],
  ]),
  row(
    2,
    'policy/v1',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    { spec: { minAvailable: 1, selector: { matchLabels: labels } } },
    [
      [
        ['spec', 'minAvailable'],
        [0, 2, '50%'],
      ],
      [
        ['spec', 'unhealthyPodEvictionPolicy'],
        ['AlwaysAllow', 'IfHealthyBudget'],
      ],
    ],
    { status: true },
  ),
  row(
    2,
    'rbac.authorization.k8s.io/v1',
    'Role',
    'roles',
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    [[['rules'], [[{ apiGroups: ['apps'], resources: ['*'], verbs: ['*'] }], []]]],
  ),
  row(
    2,
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    'rolebindings',
    { roleRef: role, subjects: [{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' }] },
    [
      [
        ['subjects'],
        [[{ kind: 'ServiceAccount', name: 's', namespace: 'n' }], [{ kind: 'Group', name: 'g' }], []],
      ],
    ],
  ),
  row(
    2,
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'endpointslices',
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }], ports: [{ port: 80 }] },
    [
      [
        ['endpoints', 0, 'conditions'],
        [{ ready: true }, { ready: false, serving: true }],
      ],
      [['ports'], [[{ port: 81, name: 'a' }], []]],
    ],
  ),
  row(
    2,
    'v1',
    'PersistentVolume',
    'persistentvolumes',
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/t' } } },
    [
      [
        ['spec', 'capacity', 'storage'],
        ['2Gi', '1G'],
      ],
      [
        ['spec', 'persistentVolumeReclaimPolicy'],
        ['Delete', 'Recycle', 'Retain'],
      ],
    ],
    { ...cluster, status: true },
  ),
  row(
    2,
    'v1',
    'Node',
    'nodes',
    {},
    [
      [
        ['spec', 'unschedulable'],
        [true, false],
      ],
      [
        ['spec', 'taints'],
        [[{ key: 'k', effect: 'NoSchedule' }], []],
      ],
      [['spec', 'podCIDR'], ['10.9.0.0/24']],
    ],
    { ...cluster, status: true },
  ),
  row(
    2,
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    'clusterroles',
    { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
    [[['rules'], [[{ apiGroups: ['apps'], resources: ['*'], verbs: ['*'] }], []]]],
    cluster,
  ),
  row(
    2,
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'clusterrolebindings',
    { roleRef: { ...role, kind: 'ClusterRole' } },
    [
      [
        ['subjects'],
        [[{ kind: 'ServiceAccount', name: 's', namespace: 'n' }], [{ kind: 'Group', name: 'g' }]],
      ],
    ],
    cluster,
  ),
  row(
    2,
    'scheduling.k8s.io/v1',
    'PriorityClass',
    'priorityclasses',
    { value: 5 },
    [
      [['description'], ['d', 'e']],
      [['globalDefault'], [false]],
    ],
    cluster,
  ),
  row(
    2,
    'storage.k8s.io/v1',
    'StorageClass',
    'storageclasses',
    { provisioner: 'p.io/x' },
    [
      [['allowVolumeExpansion'], [true, false]],
      [['mountOptions'], [['a'], ['b', 'c']]],
    ],
    cluster,
  ),
  row(
    1,
    'storage.k8s.io/v1',
    'CSIDriver',
    'csidrivers',
    {},
    [[['spec'], [{ attachRequired: false }, { podInfoOnMount: true }]]],
    cluster,
  ),
  row(
    1,
    'node.k8s.io/v1',
    'RuntimeClass',
    'runtimeclasses',
    { handler: 'h' },
    [[['overhead'], [{ podFixed: { cpu: '10m' } }]]],
    cluster,
  ),
  row(
    1,
    'networking.k8s.io/v1',
    'IngressClass',
    'ingressclasses',
    { spec: { controller: 'c.io/x' } },
    [[['spec', 'parameters'], [{ kind: 'K', name: 'n', apiGroup: 'g.io' }]]],
    cluster,
  ),
  ...RARER_KINDS,
];

/** Path of a kind's collection. @param {import('./kind-row.mjs').Kind} kind @param {string | undefined} namespace all of them when undefined */
export function collectionPath(kind, namespace) {
  const root = kind.apiVersion.includes('/') ? `/apis/${kind.apiVersion}` : `/api/${kind.apiVersion}`;
  const scope = kind.namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
  return `${root}${scope}/${kind.plural}`;
}
