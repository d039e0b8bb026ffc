/**
 * Runs one script and lets it call tools. Its first line of input is `{token, code, keep, most}`; every later one answers a
 * call. All that goes out is frames: `\x1e`, the token, a JSON object, a newline. What the script and its children
 * print is caught at the level of file descriptors and sent inside frames, so nothing that is printed can be one.
 */
export const PYTHON_RUNNER = String.raw`
import sys
_place = sys.path.pop(0)
import collections, json, linecache, os, threading, traceback

def _main():
    out = os.fdopen(os.dup(1), 'w', encoding='utf-8', newline='\n')
    inp = os.fdopen(os.dup(0), 'r', encoding='utf-8', newline='\n')
    first = json.loads(inp.readline())
    token, code, keep, most = (first[name] for name in ('token', 'code', 'keep', 'most'))
    writing, calling = threading.Lock(), threading.Lock()

    def send(**frame):
        with writing:
            out.write('\x1e' + token + json.dumps(frame) + '\n')
            out.flush()

    source, sink = os.pipe()
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.close(sink)

    def pump():
        sent, size, dropped, tail = 0, 0, 0, collections.deque()
        while True:
            chunk = os.read(source, 8192)
            if not chunk:
                break
            if sent < keep:
                send(out=chunk[:keep - sent].decode('utf-8', 'replace'))
                rest = chunk[keep - sent:]
                sent += len(chunk) - len(rest)
                chunk = rest
            if chunk:
                tail.append(chunk)
                size += len(chunk)
            while tail and size - len(tail[0]) >= keep:
                size -= len(tail[0])
                dropped += len(tail.popleft())
        last = b''.join(tail)
        dropped += max(0, len(last) - keep)
        send(out=last[-keep:].decode('utf-8', 'replace'), dropped=dropped)

    pumping = threading.Thread(target=pump, daemon=True)
    pumping.start()

    class ToolError(Exception):
        pass

    class Answer(str):
        data = None
        summary = ''

    class Tools:
        def call(self, name, /, **values):
            if len(json.dumps(values)) > most:
                raise ToolError('the input of a call is too large')
            with calling:
                send(call=str(name), input=values)
                line = inp.readline()
            if not line:
                raise ToolError('the conversation is over')
            reply = json.loads(line)
            if not reply['ok']:
                raise ToolError(reply['text'])
            answer = Answer(reply['text'])
            answer.data = reply.get('data')
            answer.summary = reply.get('summary', '')
            return answer

        def __getattr__(self, name):
            if name.startswith('__'):
                raise AttributeError(name)
            def run(**values):
                return self.call(name, **values)
            run.__name__ = name
            return run

    linecache.cache['script.py'] = (len(code), None, code.splitlines(True), 'script.py')
    names = {'__name__': '__main__', '__file__': 'script.py', 'tools': Tools(), 'ToolError': ToolError}
    error = None
    sys.path.insert(0, _place)
    sys.argv = ['script.py']
    try:
        exec(compile(code, 'script.py', 'exec', dont_inherit=True), names)
    except SystemExit as leaving:
        if leaving.code not in (None, 0):
            error = 'the script left with ' + str(leaving.code)
    except BaseException as thrown:
        told = traceback.TracebackException.from_exception(thrown)
        part = told
        seen = set()
        while part is not None and id(part) not in seen:
            seen.add(id(part))
            mine = [frame for frame in part.stack if frame.filename != '<string>']
            part.stack = traceback.StackSummary.from_list(mine)
            part = part.__cause__ or part.__context__
        error = ''.join(told.format()).replace('__main__.', '').replace('_main.<locals>.', '')

    frame = {'done': True}
    if error is not None:
        frame['error'] = error[-8000:]
    value = names.get('result')
    if value is not None:
        try:
            frame['result'] = json.dumps(value, ensure_ascii=False, indent=1)
        except (TypeError, ValueError, RecursionError):
            frame['result'] = repr(value)
        if len(frame['result']) > keep:
            frame['result'] = frame['result'][:keep] + ' …'
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (ValueError, OSError, AttributeError):
            pass
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    pumping.join(1)
    send(**frame)
    os._exit(0)

_main()
`;
