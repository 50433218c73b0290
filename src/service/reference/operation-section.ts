import type { JsonObject } from '../input/json-object.ts';
import type { Entry, Member } from './document-entries.ts';
import { EMPTY, html, type Html, writeParagraphs } from './html.ts';

/** Longer lists of choices are left to the description. */
const CHOICES_MAX = 8;

/**
 * Describes a JSON Schema in a few words: `integer from 1, or string`, `array of string`, `"base" or
 * "ephemeral"`.
 */
export function describeType(schema: JsonObject): string {
  const { type, enum: choices, const: only, anyOf, items } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices) && choices.length <= CHOICES_MAX) {
    return choices.map((choice) => JSON.stringify(choice)).join(' or ');
  }
  if (Array.isArray(anyOf)) {
    return [...new Set(anyOf.map((each) => describeType(each as JsonObject)))].join(', or ');
  }
  if (type === 'array') return `array of ${describeType((items ?? {}) as JsonObject)}${countOf(schema)}`;
  if (typeof type === 'string') return type + rangeOf(schema);
  return Array.isArray(type) ? type.join(' or ') : 'any';
}

function countOf({ minItems, maxItems }: JsonObject): string {
  if (maxItems === undefined) return '';
  return minItems === undefined
    ? `, up to ${String(maxItems)}`
    : `, ${String(minItems)} to ${String(maxItems)}`;
}

/** The range of a number, unless it is that of a double. */
function rangeOf({ minimum, maximum }: JsonObject): string {
  const from = isNews(minimum) ? ` from ${minimum}` : '';
  const to = isNews(maximum) ? ` up to ${maximum}` : '';
  return from + to;
}

function isNews(bound: unknown): bound is number {
  return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

/** The section of one operation. */
export function writeOperationSection(entry: Entry): Html {
  const { id, method, path, summary, description, query, body, result, token } = entry;
  return html`<section id="${id}">
    <h3>${summary}</h3>
    <p class="line">
      <span class="method ${method}">${method}</span> <code data-copy>${path}</code>
      ${token === undefined ? EMPTY : html`<span class="token">bearer token ${token}</span>`}
    </p>
    ${writeParagraphs(description)} ${writeMembers('Query', query)}
    ${writeMembers('Body', body?.members ?? [])} ${writeMembers('Result', result?.members ?? [])}
    ${writeExample(result?.example)} ${writeSimulation(entry)}
  </section> `;
}

/** The result of the example input. The script adds a copy button. */
function writeExample(example: unknown): Html {
  if (example === undefined) return EMPTY;
  return html`<details>
    <summary>Example result</summary>
    <p>The result of the example request on a new localnet:</p>
    <pre tabindex="0" data-copy>${JSON.stringify(example, undefined, 2)}</pre>
  </details>`;
}

function writeMembers(heading: string, members: readonly Member[]): Html {
  if (members.length === 0) return EMPTY;
  return html`<h4>${heading}</h4>
    <table>
      ${members.map(
        ({ name, schema, description, isRequired }) =>
          html`<tr>
            <th scope="row">
              <code>${name}</code>${isRequired ? EMPTY : html` <span class="optional">optional</span>`}
            </th>
            <td><span class="type">${describeType(schema)}</span> ${description}</td>
          </tr> `,
      )}
    </table> `;
}

/** The form that sends a request. The script fills in the response. */
function writeSimulation({ method, path, query, body, token }: Entry): Html {
  return html`<details>
    <summary>Try it</summary>
    <form data-method="${method.toUpperCase()}" data-path="${path}">
      ${query.map(writeField)}
      ${
        token === undefined
          ? EMPTY
          : html`<label>Bearer token <input data-token type="password" autocomplete="off" /></label>`
      }
      ${
        body === undefined
          ? EMPTY
          : html`<label
              >Body
              <textarea rows="6" spellcheck="false" data-copy>
${JSON.stringify(body.example ?? {}, undefined, 2)}</textarea>
            </label>`
      }
      <button>Send</button>
      <pre hidden aria-live="polite" data-copy></pre>
    </form>
  </details>`;
}

function writeField({ name, isRequired, example }: Member): Html {
  const value = String(example ?? '');
  return isRequired
    ? html`<label>${name} <input name="${name}" value="${value}" required /></label>`
    : html`<label>${name} <input name="${name}" value="${value}" /></label>`;
}
