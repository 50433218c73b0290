import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../../../test/conformance/running-service.ts';
import { SERVED_OPERATIONS } from '../../../test/conformance/served-operations.ts';
import type { HttpServer } from '../../http/server.ts';
import type { Operation } from '../../payments/operation.ts';
import { EXAMPLE_ANSWERS } from '../openapi/example-answers.ts';
import { html, writeParagraphs } from './html.ts';
import { runScript } from './testing/run-script.ts';

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
  it('is where the root of the service leads', () => {
    expect(page.url).toBe(`${server.url}/reference`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('may load its own files alone, and be framed by nobody', () => {
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('refers to nothing outside of the service, and all it refers to is there', async () => {
    const targets = [...text.matchAll(/(?:src|href|data-path)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(targets.length).toBeGreaterThan(10);
    for (const target of new Set(targets)) {
      if (target.startsWith('#')) expect(text).toContain(`id="${target.slice(1)}"`);
      else expect((await fetch(new URL(target, server.url))).status, target).not.toBe(404);
    }
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('has no script or style of its own, which its policy would stop', () => {
    expect(text).not.toMatch(/<script>|<style|\son\w+="|\sstyle="/);
  });

  it('shows what operations say as text', () => {
    expect(text).not.toContain(HOSTILE);
    expect(text).toContain('&lt;script&gt;alert(&quot;&#39;&amp;&quot;)&lt;/script&gt;');
  });

  it('shows every operation with its fields, and every error code where problems point to', () => {
    for (const { name } of SERVED_OPERATIONS) expect(text).toContain(`<section id="${name}">`);
    expect(text).toContain('<code>initVaultIfMissing</code>');
    expect(text).toContain('<tr id="INVALID_ARGUMENTS">');
  });

  it('shows what the example of an operation is answered with', () => {
    const example = JSON.stringify(EXAMPLE_ANSWERS['getBalance'], undefined, 2);
    expect(text).toContain(`<pre tabindex="0" data-copy>${html`${example}`.text}</pre>`);
  });

  it('has no table wider than a phone of 390 px (bug: names took 224 px of it)', async () => {
    const style = await (await fetch(`${server.url}/reference/reference.css`)).text();
    const phone = /@media \(max-width: 40rem\) \{(.*?)\n\}/s.exec(style)?.[1] ?? '';
    expect(phone).toMatch(/table, tbody, tr, th, td \{ display: block;/);
    expect(style.indexOf('@media (max-width: 40rem)')).toBeGreaterThan(style.indexOf('\nth { width: 14rem;'));
  });

  it('has a button that copies for each example, and selects where there is no clipboard', async () => {
    const buttons = await runScript(`${server.url}/reference/reference.js`, 'refused');
    await buttons.get('body')?.click();
    expect(buttons.get('body')?.textContent).toBe('Selected');
    const copied = await runScript(`${server.url}/reference/reference.js`, 'given');
    await copied.get('body')?.click();
    expect([copied.get('body')?.textContent, copied.clipboard]).toEqual(['Copied', ['body']]);
  });

  it('has a script that is one', async () => {
    const script = await fetch(`${server.url}/reference/reference.js`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(new Script(await script.text())).toBeInstanceOf(Script);
  });
});

describe('html', () => {
  it('escapes what is put in, unless it is HTML', () => {
    expect(html`<b title="${'"'}">${'<'}${html`<i></i>`}${[html`a`, html`b`]}${5}</b>`.text).toBe(
      '<b title="&quot;">&lt;<i></i>ab5</b>',
    );
  });

  it('marks paragraphs and code', () => {
    expect(html`${writeParagraphs('a `<b>` c\n\nd')}`.text).toBe(
      '<p>a <code>&lt;b&gt;</code> c</p> <p>d</p> ',
    );
  });
});
