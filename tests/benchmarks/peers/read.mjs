// The process in which a checker in JavaScript runs: node read.mjs PEERS NAME FOLDER
// It speaks as tests/benchmarks/beside/child.py does: each line on standard input is the number of a run.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [peers, name, folder] = process.argv.slice(2);
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
const load = (path) => import(pathToFileURL(join(peers, 'node_modules', path)));

const CHECKERS = {
  async alex() {
    const { text } = await load('alex/index.js');
    return (words) => text(words).messages.length;
  },
  async 'write-good'() {
    const { default: check } = await load('write-good/write-good.js');
    return (words) => check(words).length;
  },
  async 'harper.js'() {
    const { LocalLinter } = await load('harper.js/dist/index.js');
    const { binaryInlined } = await load('harper.js/dist/binaryInlined.js');
    const linter = new LocalLinter({ binary: binaryInlined });
    await linter.setup();
    return async (words) => (await linter.lint(words, { language: 'plaintext' })).length;
  },
};

let check;
try {
  check = await CHECKERS[name]();
  const made = JSON.parse(readFileSync(join(peers, 'node_modules', name, 'package.json'), 'utf-8'));
  say({ version: `${name} ${made.version}, node ${process.versions.node}` });
} catch (error) {
  say({ missing: error.code === 'ERR_MODULE_NOT_FOUND' ? 'not installed; make bench-peers' : String(error) });
  process.exit();
}

for await (const line of createInterface({ input: process.stdin })) {
  const { text } = JSON.parse(readFileSync(join(folder, `${Number(line)}.json`), 'utf-8'));
  const used = process.cpuUsage();
  const began = performance.now();
  const found = await check(text);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(used);
  const peak = process.resourceUsage().maxRSS * 1024;
  say({ seconds, cpu: (user + system) / 1e6, peak, told: { found } });
}
