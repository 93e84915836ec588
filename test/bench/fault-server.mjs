/**
 * One server with a cluster for each way of being watched over, so that all of them run the same code in the same program:
 * without hooks, with an empty plan, with a long one, with a journal.
 *
 * Forked: sends `{ urls }` once it listens, and `{ cpuMicroseconds }` whenever it is asked.
 */
import { fault, startMockServer } from '../../dist/mockserver/index.js';

const RULES = 1000;

/** Rules of every sort, none of which is about what the bench asks for. */
function rules() {
  return Array.from({ length: RULES }, (_, i) => {
    switch (i % 8) {
      case 0:
        return fault.status({ verb: 'get', resource: 'configmaps', name: `other-${i}` }, 503);
      case 1:
        return fault.status({ userAgent: `operator-${i}*` }, 503);
      case 2:
        return fault.reset({ namespace: { regex: `^team-${i}-` } });
      case 3:
        return fault.loseAnswer({ verb: ['create', 'patch'], resource: `widgets-${i}` });
      case 4:
        return fault.dropEvent(
          { resource: 'configmaps' },
          { name: i % 16 === 4 ? `other-${i}` : `other-${i}-*` },
        );
      case 5:
        return fault.delay({ user: `nobody-${i}`, verb: 'list' }, 5);
      case 6:
        return fault.duplicateEvent({ userAgent: `kubectl-${i}/*` });
      default:
        return fault.status({ verb: 'get', resource: 'configmaps', name: `other-${i}-*` }, 503);
    }
  });
}

const server = await startMockServer();
const bare = server.createCluster({ name: 'bare' });
// There is no switch for it: nobody but this bench wants a cluster without them.
bare.served.hooks = undefined;
const clusters = {
  bare,
  hooks: server.createCluster({ name: 'hooks', journalCapacity: 0 }),
  rules: server.createCluster({ name: 'rules', journalCapacity: 0, faults: rules() }),
  journal: server.createCluster({ name: 'journal' }),
};

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpuMicroseconds: user + system });
});
process.on('disconnect', () => process.exit(0));
process.send({ urls: Object.fromEntries(Object.entries(clusters).map(([name, { url }]) => [name, url])) });
