export interface PageAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly html: string;
}

type PageMaker = (body: string, inner: string, query: URLSearchParams) => PageAnswer;

const page = (title: string, body: string): PageAnswer => ({
  html: `<!doctype html><html lang="en"><title>${title}</title><body>${body}</body></html>`,
});

const redirect = (location: string): PageAnswer => ({ status: 302, headers: { location }, html: '' });

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** What each path shows. Paths that lead inside go to the site that is not to be reached. */
const PAGES: Readonly<Record<string, PageMaker>> = {
  '/': () => page('Start', '<h1>Start</h1><a href="/form">The form</a>'),
  '/form': () =>
    page(
      'Form',
      `<h1>Order</h1><form method="post" action="/submit">
       <label>Name <input name="name" value="old"></label>
       <label>Colour <select name="colour"><option>red</option><option>blue</option></select></label>
       <button>Send</button></form>`,
    ),
  '/submit': (body) => page('Sent', `<h1>Thank you</h1><p>${escape(decodeURIComponent(body))}</p>`),
  '/long': () =>
    page(
      'Long',
      Array.from({ length: 600 }, (_, i) => `<p>Paragraph ${i} says something of some length</p>`).join(''),
    ),
  '/console': () =>
    page(
      'Console',
      `<script>console.log('hello');console.error('it broke');setTimeout(() => { missing(); }, 0)</script>`,
    ),
  '/popup': () => page('Opener', `<button onclick="window.open('/form')">Open</button>`),
  '/popups': () =>
    page('Many', `<button onclick="for (let i = 0; i < 12; i++) window.open('/?' + i)">Open all</button>`),
  '/dialog': () =>
    page('Dialog', `<button onclick="document.title = String(confirm('Delete it all?'))">Delete</button>`),
  '/sticky': () =>
    page(
      'Sticky',
      `<button>Touch</button><script>onbeforeunload = (event) => { event.preventDefault(); };</script>`,
    ),
  '/iframe': () => page('Frames', '<h1>Outer</h1><iframe src="/framed"></iframe>'),
  '/framed': () =>
    page('Framed', `<button onclick="document.body.append('inner was pressed')">Inner button</button>`),
  '/shadow': () =>
    page(
      'Shadow',
      `<div id="host"></div><script>
       const root = document.querySelector('#host').attachShadow({ mode: 'open' });
       root.innerHTML = '<button>Shadow button</button><output></output>';
       root.querySelector('button').onclick = () => { root.querySelector('output').textContent = 'shadow was pressed'; };
       </script>`,
    ),
  '/download': () => page('Download', '<a href="/file">Get it</a>'),
  '/file': () => ({ headers: { 'content-disposition': 'attachment; filename="tool.sh"' }, html: 'rm -rf /' }),
  '/missing': () => ({ ...page('Nothing', '<h1>Nothing here</h1>'), status: 404 }),
  '/move': (_, __, query) => redirect(query.get('to') ?? '/'),
  '/inside': (_, inner) => redirect(`${inner}/redirected`),
  '/hidden-text': () => page('Hidden', '<p>safe\u202etxt.exe</p>'),
  '/reaches-inside': (_, inner) =>
    page(
      'Reaching',
      `<img src="${inner}/image"><iframe src="${inner}/frame"></iframe><p id="said">waiting</p><script>
       const ways = [fetch('${inner}/fetch').then((r) => r.text()), new Promise((yes, no) => {
         const socket = new WebSocket('${inner.replace('http', 'ws')}/socket'); socket.onopen = () => yes('open'); socket.onerror = () => no('closed'); })];
       Promise.allSettled(ways).then((all) => { said.textContent = 'ways: ' + all.map((one) => one.value?.includes('secret') || one.value === 'open' ? 'in' : 'kept out').join(', '); });
       </script>`,
    ),
  '/speaks-udp': (_, __, query) =>
    page(
      'Datagrams',
      `<p id="said">waiting</p><script>
       const port = ${Number(query.get('port'))};
       const worker = new Worker(URL.createObjectURL(new Blob(['try { new WebTransport("https://127.0.0.1:' + port + '/"); } catch {} setTimeout(() => postMessage(1), 700)'])));
       const frame = document.body.appendChild(document.createElement('iframe'));
       const Peer = globalThis.RTCPeerConnection ?? frame.contentWindow.RTCPeerConnection;
       if (Peer) { const peer = new Peer({ iceServers: [{ urls: 'stun:127.0.0.1:' + port }] });
         peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer)); }
       worker.onmessage = () => { said.textContent = 'all was tried'; };
       </script>`,
    ),
};

export function pageAt(path: string, body: string, inner: string): PageAnswer {
  const url = new URL(path, 'http://pages');
  const make = PAGES[url.pathname];
  return make ? make(body, inner, url.searchParams) : { status: 404, html: 'nothing here' };
}
