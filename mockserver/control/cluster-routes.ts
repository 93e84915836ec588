/** `/_mock/clusters`, `snapshots`, `restore`, `reset` and `kubeconfig`: clusters made, copied and taken back by requests. */
import { isJsonObject, member, type JsonObject, type JsonValue } from '../ground/json.js';
import { badRequest } from '../ground/status.js';
import { RESTORED_WATCHES, type RestoredWatches } from '../registry/cluster-image.js';
import { type ClusterControl } from './cluster-control.js';
import { type ClusterDirectory, type ListedCluster } from './cluster-directory.js';
import { json, nothingNamed, type Routes, text, valueOf } from './route.js';
import { type Snapshot } from './snapshot.js';

interface Parts {
  readonly control: ClusterControl;
  readonly directory: ClusterDirectory;
  readonly kubeconfig: () => string;
}

export function clusterRoutes({ control, directory, kubeconfig }: Parts): Routes {
  const { snapshots } = directory;
  const snapshotNamed = (name: JsonValue | undefined): Snapshot => {
    if (typeof name !== 'string') throw badRequest('snapshot: the name of a snapshot is needed');
    const found = snapshots.find(name);
    if (found === undefined) throw nothingNamed('snapshot', name);
    return found;
  };
  return {
    clusters: {
      GET: () => json(200, { clusters: directory.list().map(shown) }),
      POST: async (request) => {
        const { snapshot, ...settings } = objectOf(await valueOf(request));
        const from = snapshot === undefined ? undefined : snapshotNamed(snapshot);
        return json(201, shown(bounded(() => directory.create(settings, from))));
      },
      DELETE: ({ rest }) => {
        if (!bounded(() => directory.delete(rest))) throw nothingNamed('cluster', rest);
        return json(200, {});
      },
    },
    snapshots: {
      GET: () => json(200, { snapshots: snapshots.names }),
      POST: async (request) => {
        const name = member(objectOf(await valueOf(request)), 'name');
        if (name !== undefined && typeof name !== 'string') throw badRequest('name: must be a string');
        const snapshot = control.snapshot();
        const { resourceVersion } = snapshot;
        return json(201, { snapshot: snapshots.keep(snapshot, name), resourceVersion });
      },
      DELETE: ({ rest }) => {
        if (!snapshots.drop(rest)) throw nothingNamed('snapshot', rest);
        return json(200, {});
      },
    },
    restore: {
      POST: async (request) => {
        const wish = objectOf(await valueOf(request));
        const snapshot = snapshotNamed(member(wish, 'snapshot'));
        bounded(() => control.restore(snapshot, watchesOf(wish)));
        return json(200, {});
      },
    },
    reset: {
      POST: async (request) => {
        const wish = objectOf(await valueOf(request));
        const name = member(wish, 'snapshot');
        const to = name === undefined ? {} : { to: snapshotNamed(name) };
        bounded(() => control.reset({ ...watchesOf(wish), ...to }));
        return json(200, {});
      },
    },
    kubeconfig: { GET: () => text(kubeconfig()) },
  };
}

const shown = ({ name, url }: ListedCluster): JsonObject => ({ name, url });

/** Errors: 400 for what its settings do not allow. */
function bounded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(error.message);
    throw error;
  }
}

function objectOf(value: JsonValue): JsonObject {
  if (value === null) return {};
  if (!isJsonObject(value)) throw badRequest('body: an object is needed');
  return value;
}

function watchesOf(wish: JsonObject): { readonly watches?: RestoredWatches } {
  const given = member(wish, 'watches');
  if (given === undefined) return {};
  const watches = RESTORED_WATCHES.find((one) => one === given);
  if (watches === undefined)
    throw badRequest(`watches: must be one of ${RESTORED_WATCHES.join(', ')}, not ${JSON.stringify(given)}`);
  return { watches };
}
