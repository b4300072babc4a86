// The WebSocket to the server: connects again by itself, tells texts and frames apart.
const token = new URLSearchParams(location.search).get('token');
export const withToken = (path) =>
  token ? `${path}${path.includes('?') ? '&' : '?'}token=${encodeURIComponent(token)}` : path;

export class Link {
  constructor({ onText, onFrame, onStatus }) {
    this.handlers = { onText, onFrame, onStatus };
    this.delay = 250;
    this.open();
  }

  open() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${withToken('/ws')}`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.delay = 250;
      this.handlers.onStatus('connected');
    };
    socket.onmessage = (event) => {
      if (this.ended) return;
      if (typeof event.data === 'string') this.handlers.onText(JSON.parse(event.data));
      else this.handlers.onFrame(event.data);
    };
    socket.onclose = async () => {
      if (this.ended) return;
      const answer = opened ? 0 : await this.answer();
      if (this.ended) return;
      if (answer === 403) {
        this.handlers.onStatus('refused');
        return;
      }
      this.handlers.onStatus(answer ? 'full' : 'lost');
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(this.delay * 1.6, 4000);
    };
  }

  // For good.
  end() {
    this.ended = true;
    this.socket.close();
  }

  // What the server says to a plain request: 403, it does not let this page in; 0, it is not there. Where it is there
  // and did not open the connection, it has no place.
  async answer() {
    try {
      return (await fetch(withToken('/geometry'), { method: 'HEAD', signal: AbortSignal.timeout(3000) })).status;
    } catch {
      return 0;
    }
  }

  get ready() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(message) {
    if (this.ready) this.socket.send(JSON.stringify(message));
    return this.ready;
  }
}
