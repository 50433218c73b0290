import { readPlainJson } from '../../json/plain-json.ts';
import { isMessageId, type MessageId } from './json-rpc.ts';
import type { LongLine } from './line-splitter.ts';

/** A JSON string or number, or null. */
const ID = String.raw`"id"\s*:\s*(null|-?[\d.eE+-]+|"(?:[^"\\]|\\.)*")\s*`;

/** Members with short values, in any order. */
const SHORT = String.raw`(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*`;

/**
 * Where JSON-RPC libraries put the id: before the long member, or after it with at most the version behind.
 */
const AT_HEAD = new RegExp(String.raw`^\s*\{\s*${SHORT}${ID}[,}]`);
const AT_TAIL = new RegExp(String.raw`[,{]\s*${ID}(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);

/** The id of a message too long to be read, if its ends show it; null otherwise. */
export function findIdOf({ head, tail }: LongLine): MessageId {
  const start = head.toString('utf8');
  const found = AT_HEAD.exec(start) ?? (/^\s*\{/.test(start) ? AT_TAIL.exec(tail.toString('utf8')) : null);
  const json = readPlainJson(found?.[1] ?? 'null', 1);
  return json.fault === undefined && isMessageId(json.value) ? json.value : null;
}
