// The official clients, as one: both generations of the SDK, over both transports.
//
// node client.mjs SDK TRANSPORT WORKSPACE TARGET...
//   SDK        v1 (`@modelcontextprotocol/sdk`) or v2 (`@modelcontextprotocol/client`)
//   TRANSPORT  stdio (TARGET is a program and its arguments) or http (TARGET is an address)
//
// Exits with 0 if the server does everything a client may expect of it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

const [sdk, transport, workspace, ...target] = process.argv.slice(2);
const INFO = { name: 'prowess-test', version: '1.0.0' };
const ANY = z.looseObject({});
const TEA = readFileSync(join(workspace, 'skills/tea/SKILL.md'), 'utf8');
const sha256 = bytes => 'sha256:' + createHash('sha256').update(bytes).digest('hex');

/** A connected client; `elicit` answers the server's questions, none means that it cannot be asked. */
async function connect({ elicit } = {}) {
  const capabilities = elicit ? { elicitation: { form: {} } } : {};
  const heard = [];
  let client, Stdio, Http, on, onAsked;
  if (sdk === 'v1') {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const types = await import('@modelcontextprotocol/sdk/types.js');
    Stdio = (await import('@modelcontextprotocol/sdk/client/stdio.js')).StdioClientTransport;
    Http = (await import('@modelcontextprotocol/sdk/client/streamableHttp.js')).StreamableHTTPClientTransport;
    client = new Client(INFO, { capabilities });
    on = (name, handler) => client.setNotificationHandler(types[name + 'NotificationSchema'], handler);
    onAsked = handler => client.setRequestHandler(types.ElicitRequestSchema, handler);
  } else {
    const module = await import('@modelcontextprotocol/client');
    Stdio = (await import('@modelcontextprotocol/client/stdio')).StdioClientTransport;
    Http = module.StreamableHTTPClientTransport;
    client = new module.Client(INFO, { capabilities, versionNegotiation: { mode: 'auto' } });
    const methods = {
      ResourceListChanged: 'notifications/resources/list_changed',
      PromptListChanged: 'notifications/prompts/list_changed',
      ResourceUpdated: 'notifications/resources/updated',
    };
    on = (name, handler) => client.setNotificationHandler(methods[name], handler);
    onAsked = handler => client.setRequestHandler('elicitation/create', handler);
  }
  if (elicit) onAsked(async request => elicit(request.params));
  for (const name of ['ResourceListChanged', 'PromptListChanged', 'ResourceUpdated']) {
    on(name, async notification => { heard.push([name, notification.params?.uri]); });
  }
  const wire = transport === 'stdio'
    ? new Stdio({ command: target[0], args: target.slice(1), env: process.env, stderr: 'inherit' })
    : new Http(new URL(target[0]));
  await client.connect(wire);
  const ask = (method, params) => client.request({ method, params }, ANY);
  const until = async test => {
    for (let round = 0; round < 600; round++) {
      if (heard.some(test)) return;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    assert.fail('not heard: ' + test + ' among ' + JSON.stringify(heard));
  };
  return { client, ask, heard, until, close: () => client.close() };
}

/** Every page of a list. */
async function pages(list, field) {
  const all = [];
  let cursor;
  do {
    const page = await list(cursor ? { cursor } : {});
    all.push(...page[field]);
    cursor = page.nextCursor;
  } while (cursor);
  return all;
}

/** The code of the error that a request ends with. */
async function code(promise) {
  try {
    await promise;
  } catch (error) {
    return error.code;
  }
  return 'no error';
}

const bytesOf = content => content.text !== undefined ? Buffer.from(content.text) : Buffer.from(content.blob, 'base64');

async function looksAround() {
  const { client, ask, close } = await connect();
  const capabilities = client.getServerCapabilities();
  assert.deepEqual(capabilities.extensions, { 'io.modelcontextprotocol/skills': { directoryRead: true } });
  assert.equal(client.getServerVersion().name, 'prowess');
  assert.match(client.getInstructions(), /skill_search/);

  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(tool => tool.name), [
    'skill_search', 'skill_read', 'skill_list', 'skill_run_command', 'cortex_perceive', 'cortex_record', 'skill_install',
  ]);
  for (const tool of tools) assert.equal(tool.inputSchema.additionalProperties, false, tool.name);

  // The SDK compares structured answers with the tools' output schemas.
  const call = (name, args) => client.callTool({ name, arguments: args });
  const found = await call('skill_search', { message: 'please brew me a cup of green tea' });
  assert.equal(found.structuredContent.decision, 'load', JSON.stringify(found));
  assert.equal(found.structuredContent.skills[0].name, 'tea');
  assert.ok(found.structuredContent.skills[0].reasons.length > 0);
  const nothing = await call('skill_search', { message: 'what is the capital of Mongolia?' });
  assert.equal(nothing.structuredContent.decision, 'nothing', JSON.stringify(nothing));
  assert.deepEqual(nothing.structuredContent.skills, []);

  const read = await call('skill_read', { name: 'tea' });
  assert.match(read.content[1].text, /Boil water/);
  assert.deepEqual(read.structuredContent.files.map(file => file.path).sort(),
    ['SKILL.md', 'docs/a b.md', 'docs/deep/c.md', 'picture.bin', 'scripts/run.sh']);
  assert.match((await call('skill_read', { name: 'tea', file: 'docs/a b.md' })).content[1].text, /white tea/);
  const picture = await call('skill_read', { name: 'tea', file: 'picture.bin' });
  assert.equal(picture.content[1].resource.blob, Buffer.from([255, 254, 0, 1]).toString('base64'));

  const listed = (await call('skill_list', {})).structuredContent.skills.map(skill => skill.name);
  assert.deepEqual(listed, ['dated', 'tea']);
  const all = (await call('skill_list', { all: true })).structuredContent.skills;
  assert.deepEqual(all.map(skill => [skill.name, skill.ready]), [['dated', true], ['needy', false], ['tea', true]]);
  assert.match(all[1].reasons.join(), /no-such-program/);

  for (const [name, args, words] of [
    ['skill_read', { name: 'nobody' }, /no skill/],
    ['skill_read', { name: 'hidden' }, /only people/],
    ['skill_read', { name: 'needy' }, /no-such-program/],
    ['skill_read', { name: 'tea', file: '../dated/SKILL.md' }, /no file/],
    ['skill_read', { name: 'tea', file: '/etc/passwd' }, /no file/],
    ['skill_read', { name: 'tea', stray: 1 }, /unknown field/],
    ['skill_search', {}, /message/],
    ['skill_search', { message: '' }, /1 to/],
    ['skill_search', { message: 'x', top: 0 }, /top/],
    ['skill_run_command', { command: 'nothing-like-it' }, /no command/],
    ['cortex_record', { skill: 'tea', result: 'splendid' }, /unknown variant/],
  ]) {
    const failed = await call(name, args);
    assert.equal(failed.isError, true, name + JSON.stringify(args));
    assert.match(failed.content[0].text, words);
  }
  const learned = await call('cortex_record', { skill: 'tea', result: 'success', task: 'brew a cup of tea' });
  assert.equal(learned.structuredContent.slug, 'tea', JSON.stringify(learned));
  const seen = await call('cortex_perceive', { task: 'please brew me a cup of green tea', offline: true });
  assert.deepEqual(seen.structuredContent.installed, ['tea'], JSON.stringify(seen));

  const resources = await pages(params => client.listResources(params), 'resources');
  assert.deepEqual(resources.map(resource => resource.uri).filter(uri => uri.startsWith('skill://tea')), [
    'skill://tea/SKILL.md', 'skill://tea/docs/a%20b.md', 'skill://tea/docs/deep/c.md', 'skill://tea/picture.bin',
    'skill://tea/scripts/run.sh',
  ]);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates[0].uriTemplate, 'skill://{name}/{+path}');
  const ref = { type: 'ref/resource', uri: 'skill://{name}/{+path}' };
  const named = await client.complete({ ref, argument: { name: 'name', value: 't' } });
  assert.deepEqual(named.completion.values, ['tea']);
  const placed = await client.complete({ ref, argument: { name: 'path', value: 'docs' }, context: { arguments: { name: 'tea' } } });
  assert.deepEqual(placed.completion.values, ['docs/a b.md', 'docs/deep/c.md']);
  const index = JSON.parse((await client.readResource({ uri: 'skill://index.json' })).contents[0].text);
  assert.deepEqual(index.skills.map(skill => skill.url), ['skill://dated/SKILL.md', 'skill://tea/SKILL.md']);

  const prompts = await pages(params => client.listPrompts(params), 'prompts');
  assert.deepEqual(prompts.map(prompt => prompt.name).sort(), ['dated', 'hidden', 'tea']);
  assert.deepEqual(prompts.find(prompt => prompt.name === 'tea').arguments.map(argument => argument.name), ['kind', 'cups']);
  const asked = await client.getPrompt({ name: 'tea', arguments: { kind: 'oolong', cups: '2' } });
  assert.match(asked.messages[0].content.text, /Brew 2 cups of oolong\./);
  const hidden = await client.getPrompt({ name: 'hidden', arguments: { arguments: 'now' } });
  assert.match(hidden.messages[0].content.text, /Secret recipe: now/);
  const ran = await call('skill_run_command', { command: '/tea', args: 'mint 3' });
  assert.equal(ran.structuredContent.kind, 'instructions');
  assert.match(ran.content[0].text, /Brew 3 cups of mint\./);

  await extension(client, ask);
  await nonsense(client, ask);
  await close();
}

/** The skills extension, with everything that its text demands of a host. */
async function extension(client, ask) {
  const skills = await pages(params => ask('skills/list', params), 'skills');
  assert.deepEqual(skills.map(skill => skill.uri), ['skill://dated/SKILL.md', 'skill://tea/SKILL.md']);
  // The newer SDK takes the type of a result out of it.
  const complete = sdk === 'v1' ? 'complete' : undefined;
  const first = await ask('skills/list', {});
  assert.deepEqual([first.resultType, typeof first.ttlMs, first.cacheScope], [complete, 'number', 'private']);
  for (const skill of skills) {
    for (const { uri, digest, size } of skill.resources) {
      const bytes = bytesOf((await client.readResource({ uri })).contents[0]);
      assert.equal(sha256(bytes), digest, uri);
      assert.equal(bytes.length, size, uri);
      if (uri !== skill.uri) continue;
      const frontmatter = bytes.toString().split('---\n')[1];
      assert.deepEqual(skill.frontmatter, parse(frontmatter), uri);
    }
    const got = await ask('skills/get', { uri: skill.uri });
    assert.deepEqual(got.skill, skill);
    assert.deepEqual([got.resultType, typeof got.ttlMs, got.cacheScope], [complete, 'number', 'private']);
  }
  // Not listed, but served.
  assert.equal((await ask('skills/get', { uri: 'skill://hidden/SKILL.md' })).skill.frontmatter.name, 'hidden');

  const directory = async uri => (await ask('resources/directory/read', { uri })).resources
    .map(resource => [resource.name, resource.mimeType]);
  assert.deepEqual(await directory('skill://tea'), [
    ['tea', 'text/markdown'], ['docs', 'inode/directory'], ['picture.bin', undefined], ['scripts', 'inode/directory'],
  ]);
  assert.deepEqual(await directory('skill://tea/docs'), [['a b.md', 'text/markdown'], ['deep', 'inode/directory']]);
}

async function nonsense(client, ask) {
  assert.equal(await code(ask('skills/get', { uri: 'skill://nobody/SKILL.md' })), -32602);
  assert.equal(await code(ask('skills/get', { uri: 'skill://tea/docs/deep/c.md' })), -32602);
  assert.equal(await code(ask('skills/get', { uri: 'skill://needy/SKILL.md' })), -32602);
  assert.equal(await code(ask('skills/get', {})), -32602);
  assert.equal(await code(ask('skills/list', { cursor: 'made-up' })), -32602);
  assert.equal(await code(ask('resources/directory/read', { uri: 'skill://tea/SKILL.md' })), -32602);
  assert.equal(await code(ask('resources/directory/read', { uri: 'skill://tea/nowhere' })), -32602);
  assert.equal(await code(client.readResource({ uri: 'skill://tea/../../etc/passwd' })), -32602);
  assert.equal(await code(client.readResource({ uri: 'file:///etc/passwd' })), -32602);
  assert.equal(await code(client.listResources({ cursor: 'made-up' })), -32602);
  assert.equal(await code(client.getPrompt({ name: 'nobody' })), -32602);
  assert.equal(await code(client.getPrompt({ name: 'tea', arguments: { colour: 'red' } })), -32602);
  assert.equal(await code(ask('tools/call', { name: 'rm_rf', arguments: {} })), -32602);
  assert.equal(await code(ask('tools/call', { arguments: 7 })), -32602);
  // Over HTTP the newer SDK looks at the status of the answer only, which says the same.
  const unknown = sdk === 'v2' && transport === 'http' ? 'CLIENT_HTTP_NOT_IMPLEMENTED' : -32601;
  assert.equal(await code(ask('no/such/method', {})), unknown);
  assert.equal((await client.listTools()).tools.length, 7);
}

async function hearsOfChanges() {
  const { client, heard, until, close } = await connect();
  const uri = 'skill://tea/SKILL.md';
  if (sdk === 'v1') {
    await client.subscribeResource({ uri });
    assert.equal(await code(client.subscribeResource({ uri: 'skill://tea/docs/deep/c.md' })), -32602);
  } else {
    await client.listen({ resourcesListChanged: true, promptsListChanged: true, resourceSubscriptions: [uri] });
  }
  heard.length = 0;
  mkdirSync(join(workspace, 'skills/coffee'), { recursive: true });
  writeFileSync(join(workspace, 'skills/coffee/SKILL.md'), '---\nname: coffee\ndescription: Brews coffee.\n---\n\n# Coffee\n');
  await until(([name]) => name === 'ResourceListChanged');
  await until(([name]) => name === 'PromptListChanged');
  const names = (await client.listPrompts()).prompts.map(prompt => prompt.name);
  assert.ok(names.includes('coffee'), names.join());
  writeFileSync(join(workspace, 'skills/tea/SKILL.md'), TEA.replace('Boil water', 'Boil soft water'));
  await until(([name, of]) => name === 'ResourceUpdated' && of === uri);
  const { contents } = await client.readResource({ uri });
  assert.match(contents[0].text, /soft water/);
  await close();
  writeFileSync(join(workspace, 'skills/tea/SKILL.md'), TEA);
  rmSync(join(workspace, 'skills/coffee'), { recursive: true });
}

async function asksBeforeItInstalls() {
  const cake = join(workspace, '../elsewhere/cake');
  const there = join(workspace, 'skills/cake');
  const install = (client, reference) => client.callTool({ name: 'skill_install', arguments: { reference } });

  const mute = await connect();
  const refused = await install(mute.client, cake);
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /cannot ask.*prowess install/s);
  const secret = await mute.client.callTool({ name: 'skill_run_command', arguments: { command: 'hidden' } });
  assert.match(secret.content[0].text, /only people/);
  await mute.close();

  let answer;
  let questions = [];
  const { client, close } = await connect({ elicit: params => { questions.push(params); return answer; } });
  for (const no of [{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: { install: false } }]) {
    answer = no;
    const declined = await install(client, cake);
    assert.equal(declined.isError, true, JSON.stringify(no));
    assert.match(declined.content[0].text, /did not agree/);
    assert.ok(!existsSync(there));
  }
  const asked = questions.length;
  answer = { action: 'accept', content: { install: true } };
  const bad = await install(client, join(workspace, '../elsewhere/bad'));
  assert.equal(bad.isError, true);
  assert.match(bad.content[0].text, /refused/);
  assert.equal(questions.length, asked, 'nobody is asked about malware');
  questions = [];
  const site = await client.callTool({ name: 'skill_install', arguments: { reference: 'https://127.0.0.1:9/a.zip' } });
  assert.match(questions[0].message, /fetched and looked at/);
  assert.equal(site.isError, true);

  questions = [];
  const installed = await install(client, cake);
  assert.equal(installed.isError ?? false, false, JSON.stringify(installed));
  assert.equal(installed.structuredContent.ready, true);
  for (const words of [/Install the skill `cake`/, /Scan: clean/, /SKILL\.md/, /From: /, /To: /]) assert.match(questions[0].message, words);
  assert.ok(existsSync(join(there, 'SKILL.md')));
  const read = await client.callTool({ name: 'skill_read', arguments: { name: 'cake' } });
  assert.match(read.content[1]?.text ?? JSON.stringify(read), /Mix flour/);

  questions = [];
  answer = { action: 'accept', content: { call: true } };
  const hidden = await client.callTool({ name: 'skill_run_command', arguments: { command: 'hidden', args: 'now' } });
  assert.match(hidden.content[0].text, /Secret recipe: now/, JSON.stringify(hidden));
  assert.match(questions[0].message, /only be called by people/);
  await close();
  rmSync(there, { recursive: true });
  rmSync(join(workspace, '.prowess'), { recursive: true, force: true });
}

await looksAround();
await hearsOfChanges();
await asksBeforeItInstalls();
console.log('everything is as it should be');
process.exit(0);
