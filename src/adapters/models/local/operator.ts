import { toErrorRecord } from '#kit/app-error';
import { eventStream } from '#kit/event-stream';
import { type Language, languageOf } from '#kit/language';
import { withoutFence } from '#kit/memory-fence';
import { newId } from '#kit/new-id';
import type {
  AssistantMessage,
  ModelEvent,
  ModelInfo,
  ModelOutcome,
  ModelRequest,
  UserPart,
} from '#spec/data';
import type { Model, OperatorPlan, OperatorResult, RouteMessage } from '#spec/ports';
import { endInLanguage, ownersText, ranInSandbox } from './command-frame.ts';
import { intents } from './intents.gen.ts';
import type { Intent } from './intent.ts';

const INFO: ModelInfo = {
  provider: 'local',
  model: 'operator',
  protocol: 'local',
  contextWindow: 8_192,
  maxOutput: 2_048,
  images: false,
  thinking: false,
  price: { input: 0, output: 0 },
};

const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** The built-in model. It does what a message says word for word, has the rest routed, and tells plainly what needs a real model. */
export function localOperator(
  route: RouteMessage = async () => undefined,
  isProgram: (word: string) => boolean = () => true,
): Model {
  // A turn comes back here after every call: what was planned for its message is not thought over again.
  let planned: { readonly asked: string; readonly plan: Promise<OperatorPlan> } | undefined;
  const planFor = (asked: string, fresh: boolean): Promise<OperatorPlan> => {
    if (fresh || planned?.asked !== asked) planned = { asked, plan: makePlan(asked, route, isProgram) };
    return planned.plan;
  };
  return {
    info: INFO,
    stream: (request, signal) =>
      eventStream<ModelEvent, ModelOutcome>(async (emit) => {
        const origin = { provider: INFO.provider, model: INFO.model, protocol: 'local' } as const;
        emit({ type: 'response.start', ...origin });
        const message: AssistantMessage = { role: 'assistant', content: [], origin };
        const outcome = await answerOnce(request, planFor, signal, message, emit).catch(
          (thrown: unknown): ModelOutcome => ({
            status: 'failed',
            error: toErrorRecord(thrown),
            message,
            usage: NO_USAGE,
          }),
        );
        emit({ type: 'response.end', ...outcome });
        return outcome;
      }),
  };
}

async function answerOnce(
  request: ModelRequest,
  planFor: (asked: string, fresh: boolean) => Promise<OperatorPlan>,
  signal: AbortSignal,
  message: AssistantMessage,
  emit: (event: ModelEvent) => void,
): Promise<ModelOutcome> {
  const asked = lastUserText(request);
  const results = lastResults(request);
  const plan = await planFor(asked, results.length === 0);
  const { before, calls = [], after, show = plainly } = plan;
  const next = calls[results.length];
  if (next && isOffered(request, next.name)) return calling(next, message, emit);
  const parts = [before, show(results), ...(next ? [await unknownText(asked)] : [after])];
  const text = parts.filter(Boolean).join('\n\n');
  if (signal.aborted) return { status: 'aborted', message, usage: NO_USAGE };
  for (const line of text.split(/(?<=\n)/)) emit({ type: 'text.delta', text: line });
  const done = {
    status: 'done',
    stop: 'end',
    message: said(message, text),
    usage: NO_USAGE,
    cost: 0,
  } as const;
  return plan.unable || next ? { ...done, unable: true } : done;
}

/** What a message asks to be done or told. Several lines that each say something to do are done one by one. */
async function makePlan(
  asked: string,
  route: RouteMessage,
  isProgram: (word: string) => boolean,
): Promise<OperatorPlan> {
  const known = await loadIntents();
  const callOf = (text: string) => known.flatMap((intent) => intent.call(text, isProgram) ?? []).at(0);
  const whole = callOf(asked);
  if (whole) {
    const command = whole.name === 'terminal' ? String(whole.input['command']) : undefined;
    const beside = command === undefined ? undefined : await route(command, languageOf(asked));
    return {
      calls: [whole, ...(beside?.calls ?? [])],
      show: (results) => ran(results, beside, languageOf(asked)),
    };
  }
  const lines = asked.split('\n').filter((line) => line.trim());
  const calls = lines.flatMap((line) => callOf(line) ?? []);
  if (calls.length > 1) return { calls };
  if (HELP.test(asked)) return { before: help(known, languageOf(asked)) };
  const plan = await route(asked);
  if (plan?.help) return { before: help(known, languageOf(asked)) };
  return plan ?? { before: await unknownText(asked), unable: true };
}

/** What a command gave; where it ran in a sandbox, also what the machine itself says about the same. */
function ran(
  [result, ...read]: readonly OperatorResult[],
  beside: OperatorPlan | undefined,
  language: Language,
): string {
  const own = result ? [result] : [];
  const boxed = result !== undefined && ranInSandbox(result.text);
  if (!beside?.show || !boxed) return withHint(own, language);
  return [
    HINTS[language].onMachine,
    beside.show(read),
    HINTS[language].inSandbox,
    endInLanguage(plainly(own), language),
  ].join('\n\n');
}

/** What a call gave, and what to do where it was refused or came to nothing in the sandbox. */
function withHint(results: readonly OperatorResult[], language: Language): string {
  const text = plainly(results);
  const shown = endInLanguage(text, language);
  const { refused, boxed } = HINTS[language];
  if (results.some((result) => result.failed && /^Not allowed|^Denied|^不允许|^已拒绝/.test(result.text)))
    return `${shown}\n\n${refused}`;
  const failed = /\[exit code [1-9]|\[no output\]/.test(text) && ranInSandbox(text);
  return [shown, ownersText(text, language), failed ? boxed : ''].filter(Boolean).join('\n\n');
}

const HINTS: Readonly<
  Record<Language, Readonly<Record<'refused' | 'boxed' | 'onMachine' | 'inSandbox', string>>>
> = {
  en: {
    onMachine: 'On the machine itself, which a sandbox does not see:',
    inSandbox: 'The command as you typed it ran in the sandbox, which is apart from the machine:',
    refused:
      'It was not run. Safer: look first at what it would do (read the script, `--help`, a dry run), change only what needs it, keep a way back; and what has to be done in spite of this, a person does at a terminal.',
    boxed:
      'The sandbox is apart from the machine: it sees neither its processes nor its daemons and sockets. Ask in words and the machine itself is read (`which containers are running?`, `what listens on port 5432?`); to run commands on the machine itself use a terminal of your own, or set up the backend `local`, which isolates nothing and asks more often (docs/sandboxes.md).',
  },
  zh: {
    onMachine: '本机的情况(沙箱里看不到):',
    inSandbox: '你输入的命令是在沙箱里执行的,与本机隔离:',
    refused:
      '没有执行。更稳妥的做法:先看清它会做什么(读脚本、`--help`、试运行),只改需要改的,留好退路;确实要做的,由人在终端执行。',
    boxed:
      '沙箱与本机隔离:看不到本机的进程、守护进程和套接字。用文字提问就会读取本机(`有哪些容器在运行?`、`5432 端口谁在监听?`);要在本机执行命令,请用自己的终端,或配置后端 `local`(没有隔离,会问得更多,见 docs/sandboxes.md)。',
  },
};

const loadIntents = (): Promise<Intent[]> => Promise.all(Object.values(intents).map((load) => load()));

const HELP = /^\s*(help|\?|commands|what can you do|帮助|你能做什么|命令)[\s?。!]*$/i;

const unknownText = async (asked: string): Promise<string> => unknown(await loadIntents(), languageOf(asked));

function calling(
  { name, input }: { readonly name: string; readonly input: object },
  message: AssistantMessage,
  emit: (event: ModelEvent) => void,
): ModelOutcome {
  const part = { type: 'tool_call', id: newId('call'), name, arguments: JSON.stringify(input) } as const;
  emit({ type: 'tool_call.start', index: 0, id: part.id, name });
  emit({ type: 'tool_call.delta', index: 0, text: part.arguments });
  emit({ type: 'tool_call.end', index: 0, call: part });
  return {
    status: 'done',
    stop: 'tool_calls',
    message: { ...message, content: [part] },
    usage: NO_USAGE,
    cost: 0,
  };
}

/** Tools that stand in no prompt are called through `tool_call`, which everybody is offered who has some. */
const isOffered = ({ tools }: ModelRequest, name: string): boolean =>
  tools.some((tool) => tool.name === name);

const plainly = (results: readonly OperatorResult[]): string => results.map(({ text }) => text).join('\n');

/** What the tools said that were called for the last message, one by one. */
function lastResults({ messages }: ModelRequest): OperatorResult[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const results = messages.slice(asked + 1).filter((message) => message.role === 'tool');
  return results.map(({ content, isError }) => ({
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
    failed: isError,
  }));
}

/** What is done by whoever routes messages. */
const ROUTED: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'something that is wrong: `payment-service 503 since the deploy, P1` opens an incident and looks for its cause',
    'incidents and approvals: `show the last incident`, `why is payment-service slow?`, `any open approvals?`',
    'a rule of the house: `remember: payment-service rollbacks need approval`',
    'something to keep: `remember that …`; from before: `what do you know about …`',
    'a workflow or runbook that fits: say what you want, such as `check the disk` or `database is slow`',
    'how Hermes works: `how do I connect prometheus?`, with the place in the documents',
  ],
  zh: [
    '故障:`payment-service 发布后 503 飙升,P1` 会建立事故并查证据、找根因',
    '事故与审批:`最近一次事故是什么`、`payment-service 为什么慢?`、`有没有待审批的`',
    '团队规则:`记住 payment-service 生产回滚必须审批`',
    '记住一件事:`记住 …`;查找以前的内容:`以前 … 怎么处理的?`',
    '匹配的工作流或应急手册:直接说要做什么,例如 `检查磁盘`、`数据库变慢了`',
    'Hermes 的用法:`怎么接入 prometheus?`,并给出文档出处',
  ],
};

const FRAME: Readonly<Record<Language, Readonly<Record<'head' | 'commands' | 'unknown', string>>>> = {
  en: {
    head: 'With no model connected, I can answer about:',
    commands:
      'Commands: `hermes run "…"`, `hermes model`, `hermes config`, `hermes profile`, `hermes doctor`, `hermes --help`.',
    unknown: 'That needs a model, and none is connected. Run `hermes model` to connect one.',
  },
  zh: {
    head: '没有接入模型,我可以回答:',
    commands:
      '命令:`hermes run "…"`、`hermes model`、`hermes config`、`hermes profile`、`hermes doctor`、`hermes --help`。',
    unknown: '回答这个问题需要模型,而目前没有接入。运行 `hermes model` 即可接入。',
  },
};

function help(known: readonly Intent[], language: Language): string {
  const own = known.map(({ summary }) => summary[language]);
  const abilities = [...own, ...ROUTED[language]].map((ability) => `- ${ability}`);
  const { head, commands } = FRAME[language];
  return [head, '', ...abilities, '', commands].join('\n');
}

function unknown(known: readonly Intent[], language: Language): string {
  return `${FRAME[language].unknown}\n\n${help(known, language)}`;
}

const said = (message: AssistantMessage, text: string): AssistantMessage => ({
  ...message,
  content: [{ type: 'text', text }],
});

function lastUserText({ messages }: ModelRequest): string {
  const last = messages.findLast((message) => message.role === 'user');
  const words = withoutFence<UserPart>(last?.content ?? []);
  return words.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
