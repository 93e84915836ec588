// A server that is told its file when everything is loaded, so that a round does not wait for that.
import { startMockServer } from 'kube-mockserver';

// Nobody is left to end it.
process.once('disconnect', () => process.exit());

process.once('message', async ({ data }) => {
  const server = await startMockServer({
    data,
    journalCapacity: 0,
    onError: (message) => process.send({ said: message }),
  });
  process.send({ url: server.url });
});
