import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../../test/conformance/running-service.ts';
import { SERVED_OPERATIONS } from '../../test/conformance/served-operations.ts';
import type { HttpServer } from '../http/server.ts';
import type { Operation } from '../payments/operation.ts';

const HOSTILE = `</p><script>alert("'&")</script>`;

let server: HttpServer;
let page: Response;
let text: string;

beforeAll(async () => {
  const [deposit, ...rest] = SERVED_OPERATIONS as [Operation, ...Operation[]];
  server = await startService({ operations: [{ ...deposit, description: HOSTILE }, ...rest] });
  page = await fetch(server.url);
  text = await page.text();
});

afterAll(() => server.close());

describe('the reference page', () => {
  it('is the redirect target of the service root', () => {
    expect(page.url).toBe(`${server.url}/reference`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('may load only its style sheet, and cannot be framed by any site', () => {
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(text).not.toMatch(/<script|<style|\son\w+="|\sstyle="/);
  });

  it('links only to paths of the service that exist', async () => {
    const targets = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(targets.length).toBeGreaterThan(10);
    for (const target of new Set(targets)) {
      if (target.startsWith('#')) expect(text).toContain(`id="${target.slice(1)}"`);
      else expect((await fetch(new URL(target, server.url))).status, target).toBe(200);
    }
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('escapes the descriptions of operations', () => {
    expect(text).not.toContain(HOSTILE);
    expect(text).toContain('&#60;script&#62;alert(&#34;&#39;&#38;&#34;)&#60;/script&#62;');
  });

  it('shows every operation with its members, and every error code that problems point to', () => {
    for (const { name } of SERVED_OPERATIONS) expect(text).toContain(`<section id="${name}">`);
    expect(text).toContain('<code>initVaultIfMissing</code><td><i>boolean, optional</i> Create the vault');
    expect(text).toContain('&#34;base&#34; or &#34;ephemeral&#34;');
    expect(text).toContain('<tr id="INVALID_ARGUMENTS">');
  });
});
