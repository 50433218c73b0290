/** HTML that is safe to insert into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

/** A template tag for HTML. Everything inserted is escaped unless it is {@link Html}. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings
      .map((string, index) => string + (index < parts.length ? show(parts[index] as Part) : ''))
      .join(''),
  );
}

/** Empty HTML. */
export const EMPTY = new Html('');

/** Paragraphs of plain text, separated by empty lines. Backquotes mark code. */
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
