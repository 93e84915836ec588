/** Validation of the spec of pods, in pods and in templates. Source: kubernetes apis/core/validation/validation.go, ValidatePodSpec. */
import { type JsonObject } from '../../ground/json.js';
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
} from '../../ground/name-syntax.js';
import {
  flagAt,
  integerAt,
  isSet,
  itemsAt,
  listAt,
  partAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings, rangeProblem } from '../../schema/validation/findings.js';
import { resourceAmount } from './resource-amount.js';
import { containerResourceProblems } from './resource-names.js';
import { underscoredSubdomainProblems } from '../../schema/validation/text-forms.js';
import { ipAddress } from './validate-addresses.js';
import {
  containers,
  ephemeralContainers,
  initContainers,
  type PodSurroundings,
} from './validate-pod-containers.js';
import { environmentFiles } from './validate-pod-environment.js';
import { windowsHost } from './validate-pod-windows-host.js';
import { osErrors } from './validate-pod-os.js';
import { podResources } from './validate-pod-resources.js';
import { affinity, tolerations, topologySpread } from './validate-pod-scheduling.js';
import { podSecurity, usesOwnUsers } from './validate-pod-security.js';
import { volumes } from './validate-pod-volumes.js';

const MAX_INT32 = 2147483647;

/** How a spec is looked at. */
export interface PodSpecPlace {
  /** Path of the spec. */
  readonly at: string;
  /** Undefined in a template. */
  readonly podName: string | undefined;
}

export function podSpec(found: Findings, spec: JsonObject, { at, podName }: PodSpecPlace): void {
  if (!isSet(spec, 'terminationGracePeriodSeconds')) found.required(`${at}.terminationGracePeriodSeconds`);
  const good = volumes(found, spec, at, podName ?? '');
  const claims = itemsAt(spec, 'resourceClaims');
  resourceClaims(found, claims, `${at}.resourceClaims`);
  const pod: PodSurroundings = {
    volumes: good,
    claims: new Set(claims.map((one) => textAt(one, 'name')).filter((name) => name !== '')),
    timing: {
      grace: isSet(spec, 'terminationGracePeriodSeconds')
        ? integerAt(spec, 'terminationGracePeriodSeconds')
        : undefined,
      os: textAt(partAt(spec, 'os'), 'name'),
    },
    restartPolicy: textAt(spec, 'restartPolicy'),
    ownUsers: usesOwnUsers(spec),
  };
  containers(found, spec, at, pod);
  initContainers(found, spec, at, pod);
  ephemeralContainers(found, spec, at, pod);
  podResources(found, spec, at, pod.claims);
  hostNetworkPorts(found, spec, at, podName !== undefined);
  found.among(spec, at, 'restartPolicy', ['Always', 'OnFailure', 'Never'], 'missing');
  found.among(
    spec,
    at,
    'dnsPolicy',
    ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
    'missing',
  );
  found.labels(partAt(spec, 'nodeSelector'), `${at}.nodeSelector`);
  podSecurity(found, spec, at);
  affinity(found, partAt(spec, 'affinity'), `${at}.affinity`);
  dnsConfig(found, spec, `${at}.dnsConfig`);
  itemsAt(spec, 'readinessGates').forEach((gate, i) => {
    found.problems(
      `${at}.readinessGates[${i}].conditionType`,
      textAt(gate, 'conditionType'),
      labelKeyProblems,
    );
  });
  schedulingGates(found, spec, `${at}.schedulingGates`);
  topologySpread(found, itemsAt(spec, 'topologySpreadConstraints'), `${at}.topologySpreadConstraints`);
  windowsHost(found, spec, at);
  hostUsers(found, spec, at);
  hostnameOverride(found, spec, at);
  names(found, spec, at);
  if (isSet(spec, 'overhead')) overhead(found, partOrEmpty(spec, 'overhead'), `${at}.overhead`);
  osErrors(found, spec, at);
  const list = itemsAt(spec, 'volumes');
  eachContainer(spec, at, (container, place) => {
    environmentFiles(found, container, place, list);
  });
}

/** Init containers first, then the others. Source: kubernetes api/pod/util.go, VisitContainersWithPath. */
export function eachContainer(
  spec: JsonObject,
  at: string,
  visit: (container: JsonObject, at: string) => void,
): void {
  for (const name of ['initContainers', 'containers', 'ephemeralContainers']) {
    itemsAt(spec, name).forEach((one, i) => {
      visit(one, `${at}.${name}[${i}]`);
    });
  }
}

function names(found: Findings, spec: JsonObject, at: string): void {
  found.form(spec, at, 'serviceAccountName', dns1123SubdomainProblems);
  found.form(spec, at, 'nodeName', dns1123SubdomainProblems);
  if (isSet(spec, 'activeDeadlineSeconds')) {
    const seconds = integerAt(spec, 'activeDeadlineSeconds');
    if (seconds < 1 || seconds > MAX_INT32)
      found.invalid(`${at}.activeDeadlineSeconds`, seconds, rangeProblem(1, MAX_INT32));
  }
  found.form(spec, at, 'hostname', dns1123LabelProblems);
  found.form(spec, at, 'subdomain', dns1123LabelProblems);
  tolerations(found, itemsAt(spec, 'tolerations'), `${at}.tolerations`);
  itemsAt(spec, 'hostAliases').forEach((alias, i) => {
    const place = `${at}.hostAliases[${i}]`;
    ipAddress(found, textAt(alias, 'ip'), `${place}.ip`);
    textsAt(alias, 'hostnames').forEach((name, j) => {
      found.problems(`${place}.hostnames[${j}]`, name, dns1123SubdomainProblems);
    });
  });
  found.form(spec, at, 'priorityClassName', dns1123SubdomainProblems);
  if (isSet(spec, 'runtimeClassName'))
    found.problems(`${at}.runtimeClassName`, textAt(spec, 'runtimeClassName'), dns1123SubdomainProblems);
  if (isSet(spec, 'preemptionPolicy'))
    found.among(spec, at, 'preemptionPolicy', ['PreemptLowerPriority', 'Never'], 'missing');
}

function overhead(found: Findings, amounts: JsonObject, at: string): void {
  for (const [resource, value] of Object.entries(amounts)) {
    const field = `${at}.limits[${resource}]`;
    found.problems(field, resource, containerResourceProblems);
    resourceAmount(found, resource, value, field);
  }
}

function resourceClaims(found: Findings, claims: readonly JsonObject[], at: string): void {
  const seen = new Set<string>();
  claims.forEach((claim, i) => {
    const place = `${at}[${i}]`;
    const name = textAt(claim, 'name');
    if (name === '') found.required(`${place}.name`);
    else if (seen.has(name)) found.duplicate(`${place}.name`, name);
    else {
      found.problems(`${place}.name`, name, dns1123LabelProblems);
      seen.add(name);
    }
    const [own, template] = [isSet(claim, 'resourceClaimName'), isSet(claim, 'resourceClaimTemplateName')];
    if (own && template)
      found.invalid(
        place,
        claim,
        'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      );
    if (!own && !template)
      found.invalid(place, claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName'])
      if (isSet(claim, field))
        found.problems(`${place}.${field}`, textAt(claim, field), dns1123SubdomainProblems);
  });
}

/** @param isPod whether ports without a host port count too */
function hostNetworkPorts(found: Findings, spec: JsonObject, at: string, isPod: boolean): void {
  if (!flagAt(spec, 'hostNetwork')) return;
  itemsAt(spec, 'containers').forEach((container, i) => {
    itemsAt(container, 'ports').forEach((port, j) => {
      const host = integerAt(port, 'hostPort');
      if ((isPod || host !== 0) && host !== integerAt(port, 'containerPort'))
        found.invalid(
          `${at}.containers[${i}].ports[${j}].hostPort`,
          host,
          'must match `containerPort` when `hostNetwork` is true',
        );
    });
  });
}

function schedulingGates(found: Findings, spec: JsonObject, at: string): void {
  const seen = new Set<string>();
  itemsAt(spec, 'schedulingGates').forEach((gate, i) => {
    const name = textAt(gate, 'name');
    found.problems(`${at}[${i}]`, name, labelKeyProblems);
    if (seen.has(name)) found.duplicate(`${at}[${i}]`, name);
    seen.add(name);
  });
}

const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;

function dnsConfig(found: Findings, spec: JsonObject, at: string): void {
  const config = partAt(spec, 'dnsConfig');
  const servers = textsAt(config, 'nameservers');
  if (textAt(spec, 'dnsPolicy') === 'None') {
    if (config === undefined) {
      found.required(at, 'must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (servers.length === 0) {
      found.required(
        `${at}.nameservers`,
        'must provide at least one DNS nameserver when `dnsPolicy` is None',
      );
      return;
    }
  }
  if (config === undefined) return;
  if (servers.length > 3)
    found.invalid(`${at}.nameservers`, servers, 'must not have more than 3 nameservers');
  servers.forEach((server, i) => {
    ipAddress(found, server, `${at}.nameservers[${i}]`);
  });
  const searches = textsAt(config, 'searches');
  if (searches.length > MAX_SEARCHES)
    found.invalid(`${at}.searches`, searches, `must not have more than ${MAX_SEARCHES} search paths`);
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS)
    found.invalid(
      `${at}.searches`,
      searches,
      `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`,
    );
  searches.forEach((search, i) => {
    if (search !== '.')
      found.problems(`${at}.searches[${i}]`, search.replace(/\.$/, ''), underscoredSubdomainProblems);
  });
  itemsAt(config, 'options').forEach((option, i) => {
    if (textAt(option, 'name') === '') found.required(`${at}.options[${i}]`, 'must not be empty');
  });
}

function hostUsers(found: Findings, spec: JsonObject, at: string): void {
  if (!usesOwnUsers(spec)) return;
  const why = 'when `hostUsers` is false';
  if (flagAt(spec, 'hostNetwork')) found.forbidden(`${at}.hostNetwork`, why);
  if (flagAt(spec, 'hostPID')) found.forbidden(`${at}.HostPID`, why);
  if (flagAt(spec, 'hostIPC')) found.forbidden(`${at}.HostIPC`, why);
  eachContainer(spec, at, (container, place) => {
    if (listAt(container, 'volumeDevices').length > 0) found.forbidden(`${place}.volumeDevices`, why);
  });
}

function hostnameOverride(found: Findings, spec: JsonObject, at: string): void {
  if (!isSet(spec, 'hostnameOverride')) return;
  const field = `${at}.hostnameOverride`;
  const name = textAt(spec, 'hostnameOverride');
  if (flagAt(spec, 'setHostnameAsFQDN'))
    found.forbidden(field, 'may not be specified when setHostnameAsFQDN is true');
  if (flagAt(spec, 'hostNetwork')) found.forbidden(field, 'may not be specified when hostNetwork is true');
  if (name.length > 64) found.tooLong(field, 64);
  found.problems(field, name, dns1123SubdomainProblems);
}
