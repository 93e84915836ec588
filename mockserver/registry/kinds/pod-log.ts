/** The log of one container as a stream of text, which goes on while somebody follows it and the container runs. */
import { arrayMember, isJsonObject, type JsonObject, objectMember, stringMember } from '../../ground/json.js';
import { type ApiObject, nameOf, uidOf } from '../../ground/object.js';
import { badRequest } from '../../ground/status.js';
import { type TextStream } from '../connection.js';
import { type KindContext } from '../kind-context.js';
import { type LogOwner } from '../log-book.js';
import { type LogOptions } from './pod-log-options.js';
import { LogText } from './pod-log-text.js';

/** How the ids of containers begin that the fake node runs. */
export const FAKE_RUNTIME = 'mock://';

export interface LogRequest {
  readonly pod: ApiObject;
  readonly owner: LogOwner;
  readonly options: LogOptions;
}

/**
 * Errors: 400 where an earlier run is asked for of which nothing is known.
 * Source: kubernetes pkg/kubelet/kubelet_pods.go, GetKubeletContainerLogs.
 */
export function containerLog({ pod, owner, options }: LogRequest, context: KindContext): TextStream {
  const { logs, clock } = context;
  const lines = logs.read(owner);
  if (lines === undefined && owner.previous)
    throw badRequest(`previous terminated container "${owner.container}" in pod "${owner.pod}" not found`);
  return (sink) => {
    const text = new LogText(options, clock.now());
    sink.write(text.first(lines ?? []));
    if (!options.follow || owner.previous || text.full || hasEnded(pod, owner.container)) {
      sink.end();
      return () => undefined;
    }
    const stops: (() => void)[] = [];
    const stop = (): void => {
      for (const one of stops.splice(0)) one();
    };
    const end = (): void => {
      stop();
      sink.end();
    };
    stops.push(
      logs.follow(
        owner,
        (further) => {
          sink.write(text.further(further));
          if (text.full) end();
        },
        end,
      ),
      context.follow('', 'pods', owner.namespace, nameOf(pod), (next) => {
        if (next === undefined || uidOf(next) !== uidOf(pod) || hasEnded(next, owner.container)) end();
      }),
    );
    return stop;
  };
}

/** Whether the container is one of the fake node's. */
export const runsOnFakeNode = (pod: ApiObject, container: string): boolean =>
  (stringMember(statusOf(pod, container), 'containerID') ?? '').startsWith(FAKE_RUNTIME);

function hasEnded(pod: ApiObject, container: string): boolean {
  const phase = stringMember(objectMember(pod, 'status'), 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return true;
  return objectMember(objectMember(statusOf(pod, container), 'state'), 'terminated') !== undefined;
}

const STATUSES = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

const statusOf = (pod: ApiObject, container: string): JsonObject | undefined =>
  STATUSES.flatMap((name) => arrayMember(objectMember(pod, 'status'), name) ?? [])
    .filter(isJsonObject)
    .find((one) => stringMember(one, 'name') === container);
