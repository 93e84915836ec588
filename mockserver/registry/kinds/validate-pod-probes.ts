/** Validation of probes and lifecycle hooks. Source: kubernetes apis/core/validation/validation.go, validateHandler. */
import { type JsonObject, member } from '../../ground/json.js';
import { integerAt, isSet, itemsAt, listAt, partAt, textAt } from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { portOrName } from '../../schema/validation/int-or-string.js';
import { headerNameProblems, isPort, PORT_PROBLEM } from '../../schema/validation/text-forms.js';
import { SIGNALS_LINUX, SIGNALS_WINDOWS } from './stop-signals.js';

/** What the pod says that its containers' probes and hooks must fit. */
export interface PodTiming {
  /** Seconds; undefined: not set. */
  readonly grace: number | undefined;
  /** `''` when the pod does not say. */
  readonly os: string;
}

type ActionCheck = (found: Findings, action: JsonObject, at: string, timing: PodTiming) => void;

/** In the order in which a server looks. */
const ACTIONS: readonly (readonly [name: string, check: ActionCheck])[] = [
  [
    'exec',
    (found, action, at) => {
      if (listAt(action, 'command').length === 0) found.required(`${at}.command`);
    },
  ],
  ['httpGet', httpGet],
  [
    'tcpSocket',
    (found, action, at) => {
      portOrName(found, action, at, 'port');
    },
  ],
  [
    'grpc',
    (found, action, at) => {
      if (!isPort(integerAt(action, 'port')))
        found.invalid(`${at}.port`, integerAt(action, 'port'), PORT_PROBLEM);
    },
  ],
  ['sleep', sleep],
];

function httpGet(found: Findings, action: JsonObject, at: string): void {
  found.needs(action, at, 'path');
  portOrName(found, action, at, 'port');
  found.among(action, at, 'scheme', ['HTTP', 'HTTPS'], 'bad');
  for (const header of itemsAt(action, 'httpHeaders'))
    found.problems(`${at}.httpHeaders`, textAt(header, 'name'), headerNameProblems);
}

function sleep(found: Findings, action: JsonObject, at: string, { grace }: PodTiming): void {
  const seconds = integerAt(action, 'seconds');
  if (grace !== undefined && (seconds < 0 || seconds > grace)) {
    found.invalid(at, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`);
  }
}

function action(found: Findings, handler: JsonObject, at: string, timing: PodTiming, skipped: string): void {
  let actions = 0;
  for (const [name, check] of ACTIONS) {
    const one = name === skipped ? undefined : partAt(handler, name);
    if (one === undefined) continue;
    if (actions > 0) found.forbidden(`${at}.${name}`, 'may not specify more than 1 handler type');
    else {
      actions++;
      check(found, one, `${at}.${name}`, timing);
    }
  }
  if (actions === 0) found.required(at, 'must specify a handler type');
}

export const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

export function probes(found: Findings, container: JsonObject, at: string, timing: PodTiming): void {
  for (const name of PROBES) {
    const probe = partAt(container, name);
    if (probe === undefined) continue;
    const place = `${at}.${name}`;
    action(found, probe, place, timing, 'sleep');
    found.nonNegative(
      probe,
      place,
      'initialDelaySeconds',
      'timeoutSeconds',
      'periodSeconds',
      'successThreshold',
      'failureThreshold',
    );
    found.positive(probe, place, 'terminationGracePeriodSeconds');
    if (name === 'readinessProbe') {
      if (isSet(probe, 'terminationGracePeriodSeconds'))
        found.invalid(
          `${place}.terminationGracePeriodSeconds`,
          member(probe, 'terminationGracePeriodSeconds') ?? 0,
          'must not be set for readinessProbes',
        );
    } else if (integerAt(probe, 'successThreshold') !== 1) {
      found.invalid(`${place}.successThreshold`, integerAt(probe, 'successThreshold'), 'must be 1');
    }
  }
}

export function lifecycle(found: Findings, hooks: JsonObject, at: string, timing: PodTiming): void {
  for (const name of ['postStart', 'preStop']) {
    const hook = partAt(hooks, name);
    if (hook !== undefined) action(found, hook, `${at}.${name}`, timing, 'grpc');
  }
  if (!isSet(hooks, 'stopSignal')) return;
  if (timing.os === '') {
    found.forbidden(`${at}.stopSignal`, 'may not be set for containers with empty `spec.os.name`');
  } else if (timing.os === 'windows') found.among(hooks, at, 'stopSignal', SIGNALS_WINDOWS);
  else if (timing.os === 'linux') found.among(hooks, at, 'stopSignal', SIGNALS_LINUX);
}
