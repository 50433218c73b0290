import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './folders.ts';
import { startStack, waitFor } from './stack-process.ts';

const SDK = fileURLToPath(new URL('telemetry/sdk.mjs', import.meta.url));
const PAGE = readFileSync(new URL('../docs/scale.md', import.meta.url), 'utf8');

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

it('the built program passes its calls to an SDK that is loaded as in docs/scale.md', async () => {
  // The page's line, with the SDK of this test in place of its file.
  const [, options = ''] = /^export NODE_OPTIONS='(--import .*)'/m.exec(PAGE) ?? [];
  const env = {
    NODE_OPTIONS: options.replace('./telemetry.mjs', SDK),
    ACCESS_LOG: 'on',
  };
  const stack = await startStack(await temporaryFolder(onTestFinished), { env });
  onTestFinished(async () => void (await stack.stop()));
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'spl.getBalance' } };
  const headers = { 'content-type': 'application/json', traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` };
  await fetch(`${stack.serviceUrl}/mcp`, { method: 'POST', headers, body: JSON.stringify(call) });
  await fetch(`${stack.serviceUrl}/v1/spl/balance`);
  const lines = (): Record<string, unknown>[] =>
    stack
      .output()
      .stderr.split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []));
  await waitFor(() => lines().filter(({ metric }) => metric !== undefined).length === 2);
  expect(lines().filter((line) => 'span' in line || 'metric' in line)).toEqual([
    { span: 'tools/call spl.getBalance', traceId: TRACE_ID, parentId: '00f067aa0ba902b7' },
    { metric: 'mcp.server.operation.duration' },
    { span: 'GET /v1/spl/balance', traceId: `${'0'.repeat(31)}1` },
    { metric: 'http.server.request.duration' },
  ]);
  expect(lines().find(({ call: tool }) => tool === 'spl.getBalance')).toMatchObject({
    door: 'mcp',
    traceId: TRACE_ID,
  });
});
