import { ERROR_CODES } from '../../errors/codes.ts';
import type { JsonObject } from '../input/json-object.ts';
import { type Entry, listEntries, memberOf, textOf } from './document-entries.ts';
import { html, type Html, writeParagraphs } from './html.ts';
import { writeOperationSection } from './operation-section.ts';

/** Writes the page for an OpenAPI document of this service. It is readable without scripts. */
export function writeReferencePage(document: JsonObject): string {
  const info = memberOf(document, 'info');
  const title = textOf(info, 'title');
  const all = listEntries(document);
  const groups = [...new Set(all.map(({ tag }) => tag))].map((tag) => ({
    tag,
    entries: all.filter((entry) => entry.tag === tag),
  }));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/reference/reference.css" />
        <script src="/reference/reference.js" defer></script>
      </head>
      <body>
        <nav aria-label="Operations">
          <p class="name">${title}</p>
          ${groups.map(({ tag, entries }) => writeNavigation(tag, entries))}
          <p class="group">Errors</p>
          <ul>
            <li><a href="#errors">Error codes</a></li>
          </ul>
        </nav>
        <main>
          <h1>${title} <small>${textOf(info, 'version')}</small></h1>
          ${writeParagraphs(textOf(info, 'description'))}
          <p>
            For machines: <a href="/doc">OpenAPI 3.1</a>. For agents: the MCP endpoint <code>/mcp</code>,
            described at <a href="/.well-known/mcp.json">/.well-known/mcp.json</a>. For language models:
            <a href="/llms.txt">/llms.txt</a>.
          </p>
          ${groups.map(
            ({ tag, entries }) =>
              html`<h2>${tag}</h2>
                ${entries.map(writeOperationSection)}`,
          )}
          ${writeErrors()}
        </main>
      </body>
    </html> `.text;
}

function writeNavigation(tag: string, entries: readonly Entry[]): Html {
  return html`<p class="group">${tag}</p>
    <ul>
      ${entries.map(
        ({ id, method, summary }) =>
          html`<li>
            <a href="#${id}"><span class="method ${method}">${method}</span> ${summary}</a>
          </li> `,
      )}
    </ul> `;
}

/** Error codes that callers can see. Start-up errors concern only the operator. */
function writeErrors(): Html {
  const codes = Object.entries(ERROR_CODES).filter(([, { http }]) => http !== 500);
  return html`<h2 id="errors">Error codes</h2>
    <p>
      Failures are problem details (RFC 9457) with a stable <code>code</code>; <code>detail</code> says what
      to change, <code>errors</code> names the fields, and <code>error</code> has the form of the hosted API.
    </p>
    <table>
      ${codes.map(
        ([code, { http, title }]) =>
          html`<tr id="${code}">
            <th scope="row"><code>${code}</code></th>
            <td>${http}</td>
            <td>${title}.</td>
          </tr> `,
      )}
    </table> `;
}
