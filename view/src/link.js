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
    socket.onopen = () => {
      this.known = true;
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
      this.handlers.onStatus('lost');
      if (!this.known && (await this.refused())) {
        this.handlers.onStatus('refused');
        return;
      }
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(this.delay * 1.6, 4000);
    };
  }

  // For good.
  end() {
    this.ended = true;
    this.socket.close();
  }

  // Whether the server is there but does not let this page in.
  async refused() {
    try {
      return (await fetch(withToken('/geometry'))).status === 403;
    } catch {
      return false;
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
