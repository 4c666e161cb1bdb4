interface Waiting {
  places: number;
  start: () => void;
}

/** Lets work run side by side as long as it takes no more than a number of places, first come first. */
export class SharedPlaces {
  #free: number;
  readonly #waiting: Waiting[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** @param places that the work takes, at most as many as there are */
  async run<T>(places: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.push({ places, start });
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#free += places;
      this.#startNext();
    }
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next && next.places <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.places;
      next.start();
    }
  }
}
