import request from 'supertest';
import { realClock } from '../../../mockserver/ground/clock.js';
import { realRandom } from '../../../mockserver/ground/random.js';
import { AnswerWriter } from '../../../mockserver/http/answer-writer.js';
import { Exchange, type ApiHandler } from '../../../mockserver/http/exchange.js';
import { createApp } from '../../../mockserver/http/express-app.js';
import { jsonFormat } from '../../../mockserver/http/json-format.js';
import { silentLogger } from '../../../mockserver/http/logger.js';
import { configMap } from './support.js';

const writer = new AnswerWriter({ logger: silentLogger });
const handler: ApiHandler = (req, res) => {
  const exchange = new Exchange(req, res, { random: realRandom, clock: realClock });
  void writer.write(exchange, {
    kind: 'object',
    code: 200,
    object: configMap(req.url ?? ''),
    encoding: { format: jsonFormat, pretty: false },
  });
};

test('the app answers as the listener does', async () => {
  const app = await createApp(handler);
  const response = await request(app).get('/api/v1/x?y');
  expect(response.body).toEqual({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: '/api/v1/x?y' },
    data: { k: 'v' },
  });
  expect(response.headers['x-powered-by']).toBeUndefined();
  expect(response.headers['etag']).toBeUndefined();
});

test('routes that come before the API are asked first', async () => {
  const app = await createApp(handler, (express) => {
    express.get('/_mock/x', (_req, res) => {
      res.send('mock');
    });
  });
  expect((await request(app).get('/_mock/x')).text).toBe('mock');
  expect((await request(app).get('/_mock/y')).body).toMatchObject({ metadata: { name: '/_mock/y' } });
});
