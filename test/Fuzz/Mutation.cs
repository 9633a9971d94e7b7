namespace Fuzz;

/// <summary>Damages inputs, in the same way for the same random numbers.</summary>
internal static class Mutation
{
    private const int MaxChanges = 5;
    private const int MaxRepeatedBytes = 20;

    /// <summary>Returns a copy with one to five changes: bits, bytes, small and large numbers, parts omitted, repeated, or truncated.</summary>
    public static byte[] Of(ReadOnlySpan<byte> good, Random random)
    {
        List<byte> bytes = [.. good];
        for (int left = random.Next(1, MaxChanges + 1); left > 0 && bytes.Count > 0; left--)
            Change(bytes, random.Next(bytes.Count), random);
        return [.. bytes];
    }

    private static void Change(List<byte> bytes, int at, Random random)
    {
        switch (random.Next(8))
        {
            case 0 or 1:
                bytes[at] ^= (byte)(1 << random.Next(8));
                break;
            case 2:
                bytes[at] = (byte)random.Next(256);
                break;
            case 3:
                bytes[at] = (byte)random.Next(MaxRepeatedBytes); // lengths, flags and types are small
                break;
            case 4:
                bytes[at] = random.Next(2) == 0 ? byte.MaxValue : (byte)(bytes[at] + 1);
                break;
            case 5:
                bytes.InsertRange(at, bytes.GetRange(at, random.Next(Math.Min(bytes.Count - at, MaxRepeatedBytes))));
                break;
            case 6:
                bytes.RemoveRange(at, random.Next(Math.Min(bytes.Count - at, MaxRepeatedBytes)));
                break;
            default:
                if (random.Next(3) == 0)
                    bytes.RemoveRange(at, bytes.Count - at);
                break;
        }
    }
}
