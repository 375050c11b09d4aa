package hash;

import java.util.Arrays;
import java.io.*;

/** A digest in the manner of SHA-1. */
public class Sha extends Digest implements Cloneable {
    private static final int BLOCK = 64;
    private static final int[] START = {
        0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0,
    };
    private final int[] state = new int[5];
    private final int[] words = new int[80];
    private byte[] buffer = new byte[BLOCK];
    private long count;

    public Sha() {
        reset();
    }

    private Sha(Sha other) throws IllegalStateException {
        this.count = other.count;
        for (int i = 0; i < state.length; i++) {
            state[i] = other.state[i];
        }
    }

    public void reset() {
        count = 0;
        for (int i = 0; i < 5; i++) state[i] = START[i];
        Arrays.fill(buffer, (byte) 0);
    }

    // One byte.
    public void update(byte b) {
        int position = (int) (count++ % BLOCK);
        buffer[position] = b;
        if (position == BLOCK - 1) {
            block();
        }
    }

    public void update(byte[] bytes, int offset, int length) throws IOException {
        if (bytes == null || offset < 0 || length < 0) {
            throw new IllegalArgumentException("bytes, \"offset\" or length");
        }
        while (length-- > 0) update(bytes[offset++]);
    }

    private static int rotate(int x, int n) {
        return (x << n) | (x >>> (32 - n));
    }

    private void block() {
        for (int t = 0; t < 16; t++) {
            words[t] = (buffer[4 * t] & 0xff) << 24 | (buffer[4 * t + 1] & 0xff) << 16
                | (buffer[4 * t + 2] & 0xff) << 8 | (buffer[4 * t + 3] & 0xff);
        }
        for (int t = 16; t < 80; t++) {
            words[t] = rotate(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], 1);
        }
        int a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
        for (int t = 0; t < 80; t++) {
            int f, k;
            switch (t / 20) {
                case 0:
                    f = (b & c) | (~b & d);
                    k = 0x5a827999;
                    break;
                case 1:
                    f = b ^ c ^ d;
                    k = 0x6ed9eba1;
                    break;
                case 2:
                    f = (b & c) | (b & d) | (c & d);
                    k = 0x8f1bbcdc;
                    break;
                default:
                    f = b ^ c ^ d;
                    k = 0xca62c1d6;
            }
            int next = rotate(a, 5) + f + e + words[t] + k;
            e = d;
            d = c;
            c = rotate(b, 30);
            b = a;
            a = next;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }

    public byte[] digest() {
        long bits = count * 8;
        update((byte) 0x80);
        while (count % BLOCK != 56) update((byte) 0);
        for (int shift = 56; shift >= 0; shift -= 8) {
            update((byte) (bits >>> shift));
        }
        byte[] result = new byte[20];
        for (int i = 0; i < 20; i++) {
            result[i] = (byte) (state[i / 4] >>> 8 * (3 - i % 4));
        }
        reset();
        return result;
    }

    public static void main(String[] arguments) {
        Sha sha = new Sha();
        try {
            for (int i = 0; i < arguments.length; i++) {
                byte[] bytes = arguments[i].getBytes();
                sha.update(bytes, 0, bytes.length);
            }
            byte[] digest = sha.digest();
            String hex = "";
            for (int i = 0; i < digest.length; i++) {
                int value = digest[i] & 0xff;
                hex = hex + (value < 16 ? '0' : "") + Integer.toHexString(value);
            }
            System.out.println(hex);
        } catch (IOException exception) {
            System.err.println("cannot: " + exception.getMessage());
        } finally {
            sha = null;
        }
    }
}
