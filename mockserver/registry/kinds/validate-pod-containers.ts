/** Validation of the containers of pods. Source: kubernetes apis/core/validation/validation.go, validateContainers. */
import { type JsonObject } from '../../ground/json.js';
import { dns1123LabelProblems } from '../../ground/name-syntax.js';
import {
  flagAt,
  integerAt,
  isSet,
  itemsAt,
  listAt,
  partAt,
  partOrEmpty,
  textAt,
} from '../../schema/validation/field-values.js';
import { descendingPath } from '../../schema/validation/file-paths.js';
import { type Findings } from '../../schema/validation/findings.js';
import { isPort, PORT_PROBLEM, portNameProblems } from '../../schema/validation/text-forms.js';
import { environment } from './validate-pod-environment.js';
import { lifecycle, type PodTiming, PROBES, probes } from './validate-pod-probes.js';
import { containerResources } from './validate-pod-resources.js';
import { containerSecurity } from './validate-pod-security.js';
import { type Volumes } from './validate-pod-volumes.js';

/** What containers need to know of their pod. */
export interface PodSurroundings {
  readonly volumes: Volumes;
  readonly claims: ReadonlySet<string>;
  readonly timing: PodTiming;
  readonly restartPolicy: string;
  readonly ownUsers: boolean;
}

export const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const RESTARTS = ['Always', 'Never', 'OnFailure'];

export function containers(found: Findings, spec: JsonObject, at: string, pod: PodSurroundings): void {
  const list = itemsAt(spec, 'containers');
  const field = `${at}.containers`;
  if (list.length === 0) {
    found.required(field);
    return;
  }
  const names = new Set<string>();
  list.forEach((one, i) => {
    const place = `${field}[${i}]`;
    common(found, one, place, pod);
    const name = textAt(one, 'name');
    if (names.has(name)) found.duplicate(`${place}.name`, name);
    names.add(name);
    const hooks = partAt(one, 'lifecycle');
    if (hooks !== undefined) lifecycle(found, hooks, `${place}.lifecycle`, pod.timing);
    probes(found, one, place, pod.timing);
    restartPolicy(found, one, place);
  });
  hostPorts(found, list, (i) => `${field}[${i}]`);
}

const ALWAYS_ONLY = 'may not be set for init containers without restartPolicy=Always';

export function initContainers(found: Findings, spec: JsonObject, at: string, pod: PodSurroundings): void {
  const names = new Set(itemsAt(spec, 'containers').map((one) => textAt(one, 'name')));
  const field = `${at}.initContainers`;
  itemsAt(spec, 'initContainers').forEach((one, i) => {
    const place = `${field}[${i}]`;
    common(found, one, place, pod);
    restartPolicy(found, one, place);
    const name = textAt(one, 'name');
    if (names.has(name)) found.duplicate(`${place}.name`, name);
    else if (name !== '') names.add(name);
    hostPorts(found, [one], () => `${field}[0]`);
    const hooks = partAt(one, 'lifecycle');
    const always = textAt(one, 'restartPolicy') === 'Always';
    if (always) {
      if (hooks !== undefined) lifecycle(found, hooks, `${place}.lifecycle`, pod.timing);
      probes(found, one, place, pod.timing);
      return;
    }
    if (hooks !== undefined) found.forbidden(`${place}.lifecycle`, ALWAYS_ONLY);
    for (const probe of PROBES) if (isSet(one, probe)) found.forbidden(`${place}.${probe}`, ALWAYS_ONLY);
    itemsAt(one, 'resizePolicy').forEach((policy, j) => {
      if (textAt(policy, 'restartPolicy') === 'RestartContainer')
        found.invalid(
          `${place}.resizePolicy[${j}].restartPolicy`,
          'RestartContainer',
          "must not be set to 'RestartContainer' for non-sidecar initContainers",
        );
    });
  });
}

/** Members that an ephemeral container may not have, in the order of Go's struct. */
const NOT_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];
const EPHEMERAL_PROBLEM = 'cannot be set for an Ephemeral Container';

export function ephemeralContainers(
  found: Findings,
  spec: JsonObject,
  at: string,
  pod: PodSurroundings,
): void {
  const others = ['containers', 'initContainers'].flatMap((list) =>
    itemsAt(spec, list).map((one) => textAt(one, 'name')),
  );
  const names = new Set(others);
  itemsAt(spec, 'ephemeralContainers').forEach((one, i) => {
    const place = `${at}.ephemeralContainers[${i}]`;
    common(found, one, place, pod);
    imageWithoutSpace(found, one, place);
    const name = textAt(one, 'name');
    if (names.has(name)) found.duplicate(`${place}.name`, name);
    names.add(name);
    const target = textAt(one, 'targetContainerName');
    if (target !== '' && !others.includes(target)) found.notFound(`${place}.targetContainerName`, target);
    for (const member of NOT_EPHEMERAL)
      if (isWritten(one, member)) found.forbidden(`${place}.${member}`, EPHEMERAL_PROBLEM);
    itemsAt(one, 'volumeMounts').forEach((mount, j) => {
      for (const path of ['subPath', 'subPathExpr'])
        if (textAt(mount, path) !== '')
          found.forbidden(`${place}.volumeMounts[${j}].${path}`, EPHEMERAL_PROBLEM);
    });
  });
}

/** Resources are a struct, which says nothing when it is empty; the others are pointers and lists. */
const isWritten = (container: JsonObject, name: string): boolean =>
  name === 'resources' ? Object.keys(partOrEmpty(container, name)).length > 0 : isSet(container, name);

export function imageWithoutSpace(found: Findings, container: JsonObject, at: string): void {
  const image = textAt(container, 'image');
  if (image.trim() !== image)
    found.invalid(`${at}.image`, image, 'must not have leading or trailing whitespace');
}

function common(found: Findings, container: JsonObject, at: string, pod: PodSurroundings): void {
  found.needsForm(container, at, 'name', dns1123LabelProblems);
  found.needs(container, at, 'image');
  found.among(container, at, 'terminationMessagePolicy', ['File', 'FallbackToLogsOnError'], 'missing');
  ports(found, itemsAt(container, 'ports'), `${at}.ports`);
  environment(found, container, at);
  mounts(found, container, `${at}.volumeMounts`, pod.volumes);
  devices(found, container, `${at}.volumeDevices`, pod.volumes);
  found.among(container, at, 'imagePullPolicy', ['Always', 'IfNotPresent', 'Never'], 'missing');
  containerResources(found, container, at, pod.claims);
  resizePolicy(found, itemsAt(container, 'resizePolicy'), `${at}.resizePolicy`, pod.restartPolicy);
  containerSecurity(found, partAt(container, 'securityContext'), `${at}.securityContext`, pod.ownUsers);
}

function ports(found: Findings, list: readonly JsonObject[], at: string): void {
  const names = new Set<string>();
  list.forEach((port, i) => {
    const place = `${at}[${i}]`;
    const name = textAt(port, 'name');
    if (name !== '') {
      const problems = portNameProblems(name);
      for (const problem of problems) found.invalid(`${place}.name`, name, problem);
      if (problems.length === 0) {
        if (names.has(name)) found.duplicate(`${place}.name`, name);
        names.add(name);
      }
    }
    const number = integerAt(port, 'containerPort');
    if (number === 0) found.required(`${place}.containerPort`);
    else if (!isPort(number)) found.invalid(`${place}.containerPort`, number, PORT_PROBLEM);
    const host = integerAt(port, 'hostPort');
    if (host !== 0 && !isPort(host)) found.invalid(`${place}.hostPort`, host, PORT_PROBLEM);
    found.among(port, place, 'protocol', PROTOCOLS, 'missing');
  });
}

function hostPorts(found: Findings, list: readonly JsonObject[], placeOf: (i: number) => string): void {
  const taken = new Set<string>();
  list.forEach((container, i) => {
    itemsAt(container, 'ports').forEach((port, j) => {
      const host = integerAt(port, 'hostPort');
      if (host === 0) return;
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${host}`;
      if (taken.has(key)) found.duplicate(`${placeOf(i)}.ports[${j}].hostPort`, key);
      taken.add(key);
    });
  });
}

/** Places of paths inside mounts are, in errors, those of the list. */
function mounts(found: Findings, container: JsonObject, at: string, volumes: Volumes): void {
  const paths = new Set<string>();
  const blocks = itemsAt(container, 'volumeDevices');
  itemsAt(container, 'volumeMounts').forEach((mount, i) => {
    const place = `${at}[${i}]`;
    const name = found.needs(mount, place, 'name');
    if (!volumes.has(name)) found.notFound(`${place}.name`, name);
    const path = found.needs(mount, place, 'mountPath');
    if (paths.has(path)) found.invalid(`${place}.mountPath`, path, 'must be unique');
    paths.add(path);
    if (blocks.some((one) => textAt(one, 'name') === name))
      found.invalid(`${place}.name`, name, 'must not already exist in volumeDevices');
    if (blocks.some((one) => textAt(one, 'devicePath') === path))
      found.invalid(`${place}.mountPath`, path, 'must not already exist as a path in volumeDevices');
    const [sub, expression] = [textAt(mount, 'subPath'), textAt(mount, 'subPathExpr')];
    if (sub !== '') descendingPath(found, sub, `${at}.subPath`);
    if (expression !== '') {
      if (sub !== '')
        found.invalid(`${place}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive');
      descendingPath(found, expression, `${at}.subPathExpr`);
    }
    propagation(found, mount, container, at);
  });
}

function propagation(found: Findings, mount: JsonObject, container: JsonObject, at: string): void {
  const way = textAt(mount, 'mountPropagation');
  found.among(mount, at, 'mountPropagation', ['Bidirectional', 'HostToContainer', 'None']);
  if (way === 'Bidirectional' && !flagAt(partAt(container, 'securityContext'), 'privileged'))
    found.forbidden(
      `${at}.mountPropagation`,
      'Bidirectional mount propagation is available only to privileged containers',
    );
  if (!isSet(mount, 'recursiveReadOnly')) return;
  const field = `${at}.recursiveReadOnly`;
  const recursive = textAt(mount, 'recursiveReadOnly');
  if (recursive === 'Enabled' || recursive === 'IfPossible') {
    if (!flagAt(mount, 'readOnly')) found.forbidden(field, 'may only be specified when readOnly is true');
    if (way !== '' && way !== 'None')
      found.forbidden(field, 'may only be specified when mountPropagation is None or not specified');
  } else found.among(mount, at, 'recursiveReadOnly', ['Disabled', 'Enabled', 'IfPossible']);
}

function devices(found: Findings, container: JsonObject, at: string, volumes: Volumes): void {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  const mounted = itemsAt(container, 'volumeMounts');
  itemsAt(container, 'volumeDevices').forEach((device, i) => {
    const place = `${at}[${i}]`;
    const name = found.needs(device, place, 'name');
    if (names.has(name)) found.invalid(`${place}.name`, name, 'must be unique');
    const volume = volumes.get(name);
    if (volume === undefined) found.notFound(`${place}.name`, name);
    else if (!isSet(volume, 'persistentVolumeClaim') && !isSet(volume, 'ephemeral'))
      found.invalid(
        `${place}.name`,
        name,
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      );
    const path = found.needs(device, place, 'devicePath');
    if (paths.has(path)) found.invalid(`${place}.devicePath`, path, 'must be unique');
    if (path.split('/').includes('..'))
      found.invalid(`${place}.devicePath`, path, "can not contain backsteps ('..')");
    else paths.add(path);
    if (mounted.some((one) => textAt(one, 'name') === name))
      found.invalid(`${place}.name`, name, 'must not already exist in volumeMounts');
    if (mounted.some((one) => textAt(one, 'mountPath') === path))
      found.invalid(`${place}.devicePath`, path, 'must not already exist as a path in volumeMounts');
    if (name !== '') names.add(name);
  });
}

function resizePolicy(found: Findings, list: readonly JsonObject[], at: string, restarts: string): void {
  const seen = new Set<string>();
  const known = (value: string, supported: readonly string[]): void => {
    if (value === '') found.required(at);
    else if (!supported.includes(value)) found.notSupported(at, value, supported);
  };
  list.forEach((one, i) => {
    const [resource, policy] = [textAt(one, 'resourceName'), textAt(one, 'restartPolicy')];
    if (seen.has(resource)) found.duplicate(`${at}[${i}]`, resource);
    seen.add(resource);
    known(resource, ['cpu', 'memory']);
    known(policy, ['NotRequired', 'RestartContainer']);
    if (restarts === 'Never' && policy !== 'NotRequired')
      found.invalid(at, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
  });
}

function restartPolicy(found: Findings, container: JsonObject, at: string): void {
  const rules = itemsAt(container, 'restartPolicyRules');
  if (!isSet(container, 'restartPolicy')) {
    if (rules.length > 0)
      found.required(`${at}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
    else return;
  } else found.among(container, at, 'restartPolicy', RESTARTS);
  if (rules.length > 20) found.tooMany(`${at}.restartPolicyRules`, rules.length, 20);
  rules.forEach((rule, i) => {
    const place = `${at}.restartPolicyRules[${i}]`;
    found.among(rule, place, 'action', ['Restart', 'RestartAllContainers'], 'bad');
    const codes = partAt(rule, 'exitCodes');
    if (codes === undefined) found.required(`${place}.exitCodes`, 'must be specified');
    else {
      found.among(codes, `${place}.exitCodes`, 'operator', ['In', 'NotIn'], 'bad');
      const count = listAt(codes, 'values').length;
      if (count > 255) found.tooMany(`${place}.exitCodes.values`, count, 255);
    }
  });
}
