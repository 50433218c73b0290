/** The values that a template can name. */
export interface ChartValues {
  readonly Release: { readonly Name: string };
  readonly Chart: object;
  readonly Values: object;
}

/**
 * Renders a template of the chart in `deploy/helm`, as far as its templates use Helm's language: values,
 * `quote`, `if`, `else` and `range`. CI without Helm renders the chart with it.
 *
 * @throws Error for an action that it does not know.
 */
export function renderTemplate(template: string, values: ChartValues): string {
  const pieces = template.split(/(?:\n *)?\{\{- (.*?) \}\}|\{\{ (.*?) \}\}/);
  // Text, then the action of a line of its own or undefined, then the action within a line or undefined.
  const tokens = pieces
    .map((piece, at) => ({ piece, isAction: at % 3 !== 0 }))
    .filter(({ piece }) => piece !== undefined);
  const { text, rest } = render(tokens, { ...values, '.': values, $: values });
  if (rest.length > 0) throw new Error(`Helm: unexpected ${rest[0]?.piece}`);
  return text;
}

interface Token {
  readonly piece: string;
  readonly isAction: boolean;
}

type Scope = Readonly<Record<string, unknown>>;

/** Renders up to the `else` or `end` of the block around it. */
function render(tokens: readonly Token[], scope: Scope): { text: string; rest: readonly Token[] } {
  let text = '';
  let rest = tokens;
  for (let token = rest[0]; token !== undefined; token = rest[0]) {
    if (token.isAction && /^(?:end|else)$/.test(token.piece)) return { text, rest };
    rest = rest.slice(1);
    if (!token.isAction) text += token.piece;
    else if (token.piece.startsWith('if ')) {
      const then = render(rest, scope);
      const other =
        then.rest[0]?.piece === 'else' ? render(then.rest.slice(1), scope) : { text: '', rest: then.rest };
      const isTrue = Boolean(evaluate(token.piece.slice(3), scope));
      text += isTrue ? then.text : other.text;
      rest = other.rest.slice(1);
    } else if (token.piece.startsWith('range ')) {
      const [, key = '$', value = '$', list = ''] =
        /^range (?:(\$\w+), (\$\w+) := )?(.+)$/.exec(token.piece) ?? [];
      const named = (name: unknown, item: unknown): Scope => ({ [key]: name, [value]: item });
      const items = Object.entries(evaluate(list, scope) as object);
      for (const [name, item] of items.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
        text += render(rest, { ...scope, ...named(name, item), $: scope['$'], '.': item }).text;
      }
      rest = render(rest, { ...scope, ...named('', ''), $: scope['$'] }).rest.slice(1);
    } else text += String(evaluate(token.piece, scope));
  }
  return { text, rest };
}

function evaluate(expression: string, scope: Scope): unknown {
  const [path = '', filter] = expression.split(' | ');
  const value = lookUp(path, scope);
  if (filter === 'quote') return JSON.stringify(String(value));
  if (filter !== undefined || value === undefined) throw new Error(`Helm: cannot evaluate ${expression}`);
  return value;
}

function lookUp(path: string, scope: Scope): unknown {
  if (path === '.' || /^\$\w+$/.test(path)) return scope[path];
  const start = path.startsWith('$') ? scope['$'] : scope['.'];
  return path
    .replace(/^\$/, '')
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => (value as YamlMap | undefined)?.[name], start);
}

type YamlMap = Record<string, unknown>;
