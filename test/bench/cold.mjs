// One cold program: imports the library, starts a server, makes the requests of a first test. Prints milliseconds since it began.
import { startMockServer } from 'kube-mockserver';

const server = await startMockServer();
const maps = `${server.url}/api/v1/namespaces/default/configmaps`;
const made = await fetch(maps, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ metadata: { name: 'first' } }),
});
await made.text();
const found = await fetch(`${maps}/first`);
await found.text();
if (found.status !== 200) throw new Error(`${found.status}`);
console.log(performance.now());
await server.stop();
