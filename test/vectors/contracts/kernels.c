// Loops that compute, for the benchmark of the metering: each export works for some milliseconds and leaves its result in memory.
#define METHOD(name) __attribute__((export_name(#name))) void name(void)
typedef unsigned int u32;
typedef unsigned long long u64;

volatile u32 sink;
static unsigned char bytes[65536];
static u32 words[16384];

static __attribute__((noinline)) u32 fib_of(u32 n) { return n < 2 ? n : fib_of(n - 1) + fib_of(n - 2); }

METHOD(fib) { sink = fib_of(27); }

METHOD(xorshift) {
  u64 x = 88172645463325252ull;
  for (int i = 0; i < 3000000; i++) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  sink = (u32)x;
}

METHOD(sieve) {
  for (u32 i = 0; i < sizeof bytes; i++) bytes[i] = 1;
  for (u32 i = 2; i * i < sizeof bytes; i++)
    if (bytes[i])
      for (u32 j = i * i; j < sizeof bytes; j += i) bytes[j] = 0;
  u32 count = 0;
  for (u32 i = 2; i < sizeof bytes; i++) count += bytes[i];
  sink = count;
}

METHOD(matmul) {
  u32 *a = words, *b = words + 4096, *c = words + 8192;
  for (u32 i = 0; i < 4096; i++) a[i] = i, b[i] = i ^ 85;
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++) {
      u32 sum = 0;
      for (int k = 0; k < 64; k++) sum += a[i * 64 + k] * b[k * 64 + j];
      c[i * 64 + j] = sum;
    }
  sink = c[4095];
}

static __attribute__((noinline)) void sort(int low, int high) {
  if (low >= high) return;
  u32 pivot = words[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (words[i] < pivot) i++;
    while (words[j] > pivot) j--;
    if (i <= j) {
      u32 t = words[i];
      words[i++] = words[j];
      words[j--] = t;
    }
  }
  sort(low, j);
  sort(i, high);
}

METHOD(quicksort) {
  u32 x = 1;
  for (int i = 0; i < 16384; i++) words[i] = x = x * 1664525 + 1013904223;
  sort(0, 16383);
  sink = words[777];
}

static u32 rotate(u32 x, int n) { return x >> n | x << (32 - n); }

// The rounds of SHA-256 with constants of our own: the shape of the work, not the hash.
METHOD(hashing) {
  u32 h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, w[64];
  for (int block = 0; block < 512; block++) {
    for (int i = 0; i < 16; i++) w[i] = h[i & 7] + i * block;
    for (int i = 16; i < 64; i++)
      w[i] = w[i - 16] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] + (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
    u32 a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];
    for (int i = 0; i < 64; i++) {
      u32 t = k + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + w[i] + 0x428a2f98u * i;
      u32 s = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      k = g, g = f, f = e, e = d + t, d = c, c = b, b = a, a = t + s;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e, h[5] += f, h[6] += g, h[7] += k;
  }
  sink = h[0];
}

// Counts the values of a JSON text, byte by byte.
METHOD(parsing) {
  const char text[] = "{\"name\":\"counter\",\"list\":[1,22,333,true,false,null,{\"deep\":[\"a\\\"b\",\"c\"]}],\"n\":-12345}";
  u32 values = 0;
  for (int round = 0; round < 4000; round++)
    for (u32 i = 0; i < sizeof text - 1; i++) {
      char c = text[i];
      if (c == '"') {
        for (i++; text[i] != '"'; i++)
          if (text[i] == '\\') i++;
        values++;
      } else if (c == '-' || (c >= '0' && c <= '9')) {
        while (text[i + 1] >= '0' && text[i + 1] <= '9') i++;
        values++;
      } else if (c >= 'a' && c <= 'z') {
        while (text[i + 1] >= 'a' && text[i + 1] <= 'z') i++;
        values++;
      }
    }
  sink = values;
}
