/**
 * The other kinds of the resource table. Weight 0 have those on which a real server acts by itself (webhooks, policies, quotas, services'
 * addresses, priority levels, aggregated APIs): what one scenario wrote would be felt by others.
 */
import { row } from './kind-row.mjs';

const CLUSTER = { namespaced: false };
const REVIEW = { namespaced: false, review: true };
const ADMISSION = 'admissionregistration.k8s.io/v1';
const PODS = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const webhook = {
  name: 'a.ex.io',
  clientConfig: { url: 'https://127.0.0.1:1/x' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const claim = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'dc' } }] } };
const SIGNING_REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITE1ISUNBUUF3RURFT01Bd0dBMVVFQXd3RmNISnZZbVV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQgpCd05DQUFURS93TEk0Q3BUYVhlTjlLUXdJQU5aVlR6aC83alVIalhycUJuNFl0SEdXeXFLQS9hd0IwQWNuTGFQCkZnQksrU25PM1BEUnM1ZHRzOG95OUM0ZXNZOU1vQUF3Q2dZSUtvWkl6ajBFQXdJRFNRQXdSZ0loQU1WYUJvNXIKcDJQTU5aVnN5YUt0bnpFeE12QUppNUlSR3JTcENNS3M1NlF3QWlFQXpCVWxaSkhIb0cvbGgycXVSL2xsUjNlQwpndGJNcFFUREVmbWlnOXR2clpnPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';

export const RARER_KINDS = [
  row(1, 'apps/v1', 'ControllerRevision', 'controllerrevisions', { revision: 1, data: { a: 1 } }, [
    [['revision'], [2, 3]],
  ]),
  row(1, 'storage.k8s.io/v1', 'CSIStorageCapacity', 'csistoragecapacities', { storageClassName: 'sc' }, [
    [['capacity'], ['1Gi', '2Gi']],
  ]),
  row(
    1,
    'storage.k8s.io/v1',
    'CSINode',
    'csinodes',
    { spec: { drivers: [{ name: 'csi.ex.io', nodeID: 'id' }] } },
    [[['spec', 'drivers', 0, 'allocatable'], [{ count: 5 }]]],
    CLUSTER,
  ),
  row(
    1,
    'storage.k8s.io/v1',
    'VolumeAttachment',
    'volumeattachments',
    { spec: { attacher: 'ex.io', nodeName: 'n1', source: { persistentVolumeName: 'pv1' } } },
    [
      [
        ['metadata', 'labels', 'tier'],
        ['front', 'back'],
      ],
    ],
    { ...CLUSTER, status: true },
  ),
  row(
    1,
    'storage.k8s.io/v1',
    'VolumeAttributesClass',
    'volumeattributesclasses',
    { driverName: 'csi.ex.io', parameters: { a: 'b' } },
    [
      [
        ['metadata', 'labels', 'tier'],
        ['front', 'back'],
      ],
    ],
    CLUSTER,
  ),
  row(
    1,
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    'certificatesigningrequests',
    { spec: { request: SIGNING_REQUEST, signerName: 'ex.io/s', usages: ['digital signature'] } },
    [
      [
        ['metadata', 'labels', 'tier'],
        ['front', 'back'],
      ],
    ],
    { ...CLUSTER, status: true },
  ),
  row(
    1,
    'resource.k8s.io/v1',
    'DeviceClass',
    'deviceclasses',
    { spec: {} },
    [
      [
        ['spec', 'selectors'],
        [[{ cel: { expression: 'true' } }], []],
      ],
    ],
    CLUSTER,
  ),
  row(
    1,
    'resource.k8s.io/v1',
    'ResourceClaim',
    'resourceclaims',
    { spec: claim },
    [
      [
        ['metadata', 'labels', 'tier'],
        ['front', 'back'],
      ],
    ],
    { status: true },
  ),
  row(1, 'resource.k8s.io/v1', 'ResourceClaimTemplate', 'resourceclaimtemplates', { spec: { spec: claim } }, [
    [
      ['metadata', 'labels', 'tier'],
      ['front', 'back'],
    ],
  ]),
  row(
    1,
    'resource.k8s.io/v1',
    'ResourceSlice',
    'resourceslices',
    {
      spec: {
        driver: 'dr.ex.io',
        nodeName: 'n1',
        pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'd0' }],
      },
    },
    [
      [
        ['spec', 'pool', 'resourceSliceCount'],
        [2, 3],
      ],
    ],
    CLUSTER,
  ),
  row(0, 'v1', 'ResourceQuota', 'resourcequotas', { spec: { hard: { pods: '4' } } }, []),
  row(0, 'v1', 'Binding', 'bindings', { target: { kind: 'Node', name: 'n1' } }, [], { review: true }),
  row(
    0,
    ADMISSION,
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    { webhooks: [webhook] },
    [],
    CLUSTER,
  ),
  row(
    0,
    ADMISSION,
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    { webhooks: [webhook] },
    [],
    CLUSTER,
  ),
  row(
    0,
    ADMISSION,
    'ValidatingAdmissionPolicy',
    'validatingadmissionpolicies',
    { spec: { matchConstraints: { resourceRules: [PODS] }, validations: [{ expression: 'true' }] } },
    [],
    CLUSTER,
  ),
  row(
    0,
    ADMISSION,
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
    { spec: { policyName: 'p', validationActions: ['Deny'] } },
    [],
    CLUSTER,
  ),
  row(
    0,
    ADMISSION,
    'MutatingAdmissionPolicy',
    'mutatingadmissionpolicies',
    {
      spec: {
        reinvocationPolicy: 'Never',
        matchConstraints: { resourceRules: [PODS] },
        mutations: [
          {
            patchType: 'JSONPatch',
            jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/labels/a", value: "b"}]' },
          },
        ],
      },
    },
    [],
    CLUSTER,
  ),
  row(
    0,
    ADMISSION,
    'MutatingAdmissionPolicyBinding',
    'mutatingadmissionpolicybindings',
    { spec: { policyName: 'p' } },
    [],
    CLUSTER,
  ),
  row(
    0,
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema',
    'flowschemas',
    { spec: { priorityLevelConfiguration: { name: 'global-default' } } },
    [],
    CLUSTER,
  ),
  row(
    0,
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    'prioritylevelconfigurations',
    { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
    [],
    CLUSTER,
  ),
  row(
    0,
    'networking.k8s.io/v1',
    'IPAddress',
    'ipaddresses',
    { spec: { parentRef: { resource: 'services', namespace: 'default', name: 's' } } },
    [],
    { ...CLUSTER, named: '192.168.1.5' },
  ),
  row(
    0,
    'networking.k8s.io/v1',
    'ServiceCIDR',
    'servicecidrs',
    { spec: { cidrs: ['10.96.0.0/16'] } },
    [],
    CLUSTER,
  ),
  row(
    0,
    'apiregistration.k8s.io/v1',
    'APIService',
    'apiservices',
    {
      spec: {
        group: 'probe.ex.io',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 's' },
      },
    },
    [],
    { ...CLUSTER, named: 'v1.probe.ex.io' },
  ),
  row(
    0,
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    {
      spec: {
        group: 'probe.ex.io',
        scope: 'Namespaced',
        names: { plural: 'ws', kind: 'W' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    },
    [],
    { ...CLUSTER, named: 'ws.probe.ex.io' },
  ),
  row(0, 'authentication.k8s.io/v1', 'TokenReview', 'tokenreviews', { spec: { token: 'x' } }, [], REVIEW),
  row(0, 'authentication.k8s.io/v1', 'SelfSubjectReview', 'selfsubjectreviews', {}, [], REVIEW),
  row(
    0,
    'authorization.k8s.io/v1',
    'SubjectAccessReview',
    'subjectaccessreviews',
    { spec: { user: 'u', resourceAttributes: { verb: 'get', resource: 'pods' } } },
    [],
    REVIEW,
  ),
  row(
    0,
    'authorization.k8s.io/v1',
    'SelfSubjectAccessReview',
    'selfsubjectaccessreviews',
    { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
    [],
    REVIEW,
  ),
  row(
    0,
    'authorization.k8s.io/v1',
    'SelfSubjectRulesReview',
    'selfsubjectrulesreviews',
    { spec: { namespace: 'default' } },
    [],
    REVIEW,
  ),
];
