import { expect, it } from 'vitest';
import { askRaw } from '../../src/console/testing/raw-request.ts';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { startConsole } from './running-console.ts';

it('explains how to repeat a listed call and what rejections mean, and nothing about an unlisted call', async () => {
  const { serviceUrl } = await startConsole({});
  await askRaw(serviceUrl, '/v1/spl/deposit', {
    headers: { 'content-type': 'application/json' },
    body: 'no JSON',
  });
  const formsOf = async (seq: string): Promise<unknown> =>
    JSON.parse((await askRaw(serviceUrl, `/console/api/forms?seq=${seq}&origin=${serviceUrl}`)).text);
  expect(await formsOf('1')).toEqual([
    { name: 'curl', text: expect.stringContaining(`'${serviceUrl}/v1/spl/deposit'`) },
    { name: 'Client', text: 'await payments.deposit(<arguments>);' },
    { name: 'MCP', text: expect.stringContaining('spl.deposit') },
  ]);
  expect([await formsOf('2'), await formsOf('none')]).toEqual([[], []]);
  const { text } = await askRaw(serviceUrl, '/console/api/error-titles');
  const codes = Object.keys(JSON.parse(text) as object);
  expect(codes).toContain('EATA_SETTLING');
  expect(codes.filter((code) => !(code in ERROR_CODES))).toEqual([]);
});
