/**
 * Where gzip finds what functions share: it looks back 32 KiB, and a reference to what is near is shorter. A
 * function that is declared at the top of a module may stand anywhere in it.
 */
import { gzipSync } from 'node:zlib';
import { parseSync } from 'rolldown/utils';

/** Characters that count as something shared, when two functions have them. */
const SHARED_LENGTH = 8;

/** What more functions than this have is everywhere, and says nothing of two of them. */
const SHARERS_MAX = 12;

/** Functions that each is tried behind in a round: first those that share most with it, then the next. */
const TRIED = 5;

/** Rounds: each takes 4 s for the whole page, and saves less than the one before. */
const ROUNDS = 3;

const isFunction = ({ type }) => type === 'FunctionDeclaration';

const codeOf = (statements) => statements.map(({ text }) => text).join('');

const gzipped = (statements) => gzipSync(codeOf(statements), { level: 9 }).length;

/** The functions that each shares most with, in an order that depends on nothing but the code. */
function nearestOf(functions) {
  const sharers = new Map();
  const pieces = new Map();
  for (const one of functions) {
    const own = new Set();
    for (let at = 0; at + SHARED_LENGTH <= one.text.length; at++)
      own.add(one.text.slice(at, at + SHARED_LENGTH));
    pieces.set(one, own);
    for (const piece of own) {
      const all = sharers.get(piece);
      if (all === undefined) sharers.set(piece, [one]);
      else all.push(one);
    }
  }
  return new Map(
    functions.map((one) => {
      const shares = new Map();
      for (const piece of pieces.get(one)) {
        const all = sharers.get(piece);
        if (all.length > SHARERS_MAX) continue;
        for (const other of all) shares.set(other, (shares.get(other) ?? 0) + 1 / all.length);
      }
      shares.delete(one);
      const sorted = [...shares].sort(([, share], [, other]) => other - share);
      return [one, sorted.slice(0, TRIED * ROUNDS).map(([other]) => other)];
    }),
  );
}

/** A statement that anything may stand behind, without a line between. */
function statementOf({ type, start, end }, code) {
  const text = code.slice(start, end);
  const isEnded = text.endsWith(';') || /^(Function|Class)Declaration$/.test(type);
  return { type, text: isEnded ? text : `${text};` };
}

/** The statements of a module, in the order that it has them in. */
const statementsOf = (code) =>
  parseSync('module.js', code).program.body.map((node) => statementOf(node, code));

/**
 * Finds an order in which the functions of a module take fewer bytes as gzip. The page's take half a minute.
 *
 * @param code of a module, minified.
 * @returns for each place the number of the statement that stands there; all but declarations of functions are in
 *   the order that they had.
 */
export function findOrder(code) {
  const given = statementsOf(code);
  const functions = given.filter(isFunction);
  const nearest = nearestOf(functions);
  let statements = given;
  let least = gzipped(statements);
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of functions) {
      for (const other of nearest.get(one).slice(round * TRIED, (round + 1) * TRIED)) {
        const moved = statements.filter((each) => each !== one);
        moved.splice(moved.indexOf(other) + 1, 0, one);
        const bytes = gzipped(moved);
        if (bytes < least) [least, statements] = [bytes, moved];
      }
    }
  }
  return statements.map((each) => given.indexOf(each));
}

/**
 * Puts the statements of a module in an order.
 *
 * @param order what {@link findOrder} found for this module.
 * @throws {Error} if it is an order of another module, or moves more than functions.
 */
export function inOrder(code, order) {
  const given = statementsOf(code);
  const statements = order.map((at) => given[at]);
  const isWhole = order.length === given.length && new Set(statements).size === given.length;
  const fixed = order.filter((at) => given[at] !== undefined && !isFunction(given[at]));
  if (!isWhole || fixed.some((at, index) => at < fixed[index - 1]))
    throw new Error('an order of another module');
  return codeOf(statements);
}
