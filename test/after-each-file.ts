// Runs before each test file, so that this hook, the first, is the last to be called.
import { afterAll } from 'vitest';
import { removeFoldersOfFile } from './folders.ts';

afterAll(removeFoldersOfFile);
