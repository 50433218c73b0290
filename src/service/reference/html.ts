/** A piece of HTML that is safe to put into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

/** Writes HTML: everything put in is escaped unless it is HTML itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings
      .map((string, index) => string + (index < parts.length ? show(parts[index] as Part) : ''))
      .join(''),
  );
}

/** Nothing. */
export const EMPTY = new Html('');

/** Paragraphs of plain text: an empty line separates them, and backquotes mark code. */
export function writeParagraphs(text: string): readonly Html[] {
  return text
    .split('\n\n')
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => html`<p>${paragraph.split('`').map(writeSpan)}</p> `);
}

function writeSpan(text: string, index: number): Html {
  return index % 2 === 0 ? html`${text}` : html`<code>${text}</code>`;
}

function show(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map((each: Html) => each.text).join('');
  return escape(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
