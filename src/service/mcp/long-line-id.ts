import { readPlainJson } from '../../json/plain-json.ts';
import { isMessageId, type MessageId } from './json-rpc.ts';
import type { LongLine } from './line-splitter.ts';

/** A JSON string or number, or null. */
const ID = String.raw`"id"\s*:\s*(null|-?[\d.eE+-]+|"(?:[^"\\]|\\.)*")\s*`;

/** Members of a message whose values are short, in any order. */
const SHORT = String.raw`(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*`;

/**
 * Where writers of JSON-RPC put the id: before the long member, or behind it as the last one but the version.
 */
const AT_HEAD = new RegExp(String.raw`^\s*\{\s*${SHORT}${ID}[,}]`);
const AT_TAIL = new RegExp(String.raw`[,{]\s*${ID}(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);

/** The id of a message that was too long to be read, where its ends show it; else null. */
export function findIdOf({ head, tail }: LongLine): MessageId {
  const start = head.toString('utf8');
  const found = AT_HEAD.exec(start) ?? (/^\s*\{/.test(start) ? AT_TAIL.exec(tail.toString('utf8')) : null);
  const json = readPlainJson(found?.[1] ?? 'null', 1);
  return json.fault === undefined && isMessageId(json.value) ? json.value : null;
}
