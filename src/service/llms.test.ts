import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../../test/conformance/running-service.ts';
import { SERVED_OPERATIONS } from '../../test/conformance/served-operations.ts';
import type { HttpServer } from '../http/server.ts';
import type { Operation } from '../payments/operation.ts';
import { REST_TABLE } from './rest/rest-table.ts';

const [DEPOSIT] = SERVED_OPERATIONS as [Operation];

let server: HttpServer;
let answer: Response;
let text: string;

beforeAll(async () => {
  const aside: Operation = { ...DEPOSIT, namespace: 'localnet', name: 'aside', title: 'Only a tool' };
  server = await startService({ operations: SERVED_OPERATIONS, toolOperations: [aside] });
  answer = await fetch(`${server.url}/llms.txt`);
  text = await answer.text();
});

afterAll(() => server.close());

const linksIn = (markdown: string): string[] =>
  [...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => url);

describe('/llms.txt', () => {
  it('is plain text that any page may read', () => {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('begins with title and summary, and says each sentence once', () => {
    const [title = '', summary = ''] = text.split('\n\n');
    expect(title).toMatch(/^# \S/);
    expect(summary).toMatch(/^> \S/);
    expect(text.split(summary.slice(2))).toHaveLength(2);
    expect(text).not.toMatch(/\n{3}|\n\n$/);
  });

  it('has method, path and title of every operation', () => {
    for (const { name, title } of SERVED_OPERATIONS) {
      const place = REST_TABLE[name];
      expect(text).toContain(
        `- [${place?.method} ${place?.path}](${server.url}/reference#${name}): ${title}`,
      );
    }
  });

  it('names the MCP tools that are listed, those without a path as well, and no other', async () => {
    const listed = await fetch(`${server.url}/.well-known/mcp.json`);
    const { tools } = (await listed.json()) as { tools: { name: string }[] };
    const named = [...text.matchAll(/`((?:spl|localnet)\.\w+)`/g)].map(([, name = '']) => name);
    expect(named.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
    expect(named).toContain('localnet.aside');
  });

  it('leads to what is there', async () => {
    const reference = await (await fetch(`${server.url}/reference`)).text();
    for (const link of linksIn(text)) {
      const { origin, hash, pathname } = new URL(link);
      expect(origin).toBe(server.url);
      if (hash === '') expect((await fetch(link)).status, link).toBe(200);
      else expect([pathname, reference.includes(`id="${hash.slice(1)}"`)]).toEqual(['/reference', true]);
    }
  });

  it('leaves out what the operator does not offer, and leads to the origin that is configured', async () => {
    const small = await startService({ operations: [DEPOSIT], publicOrigin: 'https://pay.example.com/' });
    const shown = await (await fetch(`${small.url}/llms.txt`)).text();
    await small.close();
    expect(shown).toContain('https://pay.example.com/reference#deposit');
    expect(shown).not.toContain(small.url);
    expect(shown).not.toMatch(/withdraw|Stealth|without a path/i);
  });

  it('is for GET and HEAD', async () => {
    const refused = await fetch(`${server.url}/llms.txt`, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
