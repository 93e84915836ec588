// A watch of @kubernetes/client-node in a process of its own, which can be stopped as a whole:
//   node node-watch.mjs KUBECONFIG PATH RESOURCEVERSION
// Prints one JSON object a line for each event, and {"type":"END"} when the watch is over.
import { KubeConfig, Watch } from '@kubernetes/client-node';

const [kubeconfig, path, resourceVersion] = process.argv.slice(2);
const config = new KubeConfig();
config.loadFromFile(kubeconfig);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
await new Watch(config).watch(
  path,
  { resourceVersion },
  (type, object) => say({ type, name: object.metadata?.name ?? '' }),
  () => say({ type: 'END', name: '' }),
);
say({ type: 'OPEN', name: '' });
process.stdin.on('end', () => process.exit(0)).resume();
