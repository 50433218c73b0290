import { describe, expect, it } from 'vitest';
import { hasRepeatedMember } from './repeated-member.ts';

describe('hasRepeatedMember', () => {
  it.each([
    '{"id":1,"id":1}',
    '{"id":1,"result":{"a":[]},"id":2}',
    '{"result":null,"x":"}","result":5}',
    '{"id":1,"\\u0069d":2}',
    '{ "error" : null , "error"\n:{}}',
    '{"":1,"":2}',
    '{"a\\"b":1,"a\\"b":2}',
  ])('finds the member that %s has twice', (text) => {
    JSON.parse(text);
    expect(hasRepeatedMember(text)).toBe(true);
  });

  it.each([
    '{}',
    '{"id":1,"result":"id"}',
    '{"id":"id","result":"result"}',
    '{"result":{"id":1},"id":1}',
    '{"result":[{"id":1,"id":2}],"id":1}',
    '{"a":"\\"id\\":1","id":1,"b":"{[\\\\"}',
    '[{"id":1},{"id":1}]',
    '"id"',
    '5',
  ])('finds none in %s', (text) => {
    JSON.parse(text);
    expect(hasRepeatedMember(text)).toBe(false);
  });
});
