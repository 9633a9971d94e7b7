namespace Fuzz;

/// <summary>Reads bytes of any origin. Its result is free; it may not throw, and not read beyond the bytes.</summary>
internal delegate void FuzzReader(ReadOnlySpan<byte> input, ref FuzzTurns turns);

/// <summary>One reader of external bytes, its valid inputs to begin with, and its allowed cost.</summary>
/// <param name="Name">Name on the command line.</param>
/// <param name="Read">The reader's entry point.</param>
/// <param name="CreateSamples">Valid inputs.</param>
/// <param name="FixedBytes">Bytes that it may allocate for any input.</param>
/// <param name="BytesPerByte">Bytes that it may allocate for each byte of the input.</param>
internal sealed record FuzzTarget(string Name, FuzzReader Read, Func<IEnumerable<byte[]>> CreateSamples, int FixedBytes, int BytesPerByte)
{
    private const int Samples = 8; // of the allocations of a call; a collection by another thread increases one

    [ThreadStatic]
    private static GuardedBytes? _input;

    private byte[][]? _samples;

    /// <summary>Its valid inputs.</summary>
    public IReadOnlyList<byte[]> GoodInputs => _samples ??= [.. CreateSamples()];

    /// <summary>Reads an input that ends at the end of accessible memory, and checks the reader's limits.</summary>
    /// <exception cref="FuzzException">A limit was exceeded, or the reader's result is impossible.</exception>
    public void Run(ReadOnlySpan<byte> input)
    {
        _input ??= new GuardedBytes();
        ReadOnlySpan<byte> guarded = _input.Place(input);
        long limit = FixedBytes + ((long)BytesPerByte * input.Length);
        long allocated = long.MaxValue;
        for (int i = 0; i < Samples && allocated > limit; i++)
        {
            FuzzTurns turns = new(input.Length);
            long before = GC.GetAllocatedBytesForCurrentThread();
            Read(guarded, ref turns);
            allocated = Math.Min(allocated, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        if (allocated > limit)
        {
            throw new FuzzException(
                $"{Name}: {allocated:N0} bytes were allocated for an input of {input.Length:N0}, {limit:N0} are allowed");
        }
    }

    /// <summary>Reads a number of damaged inputs; a failure is reported with its bytes.</summary>
    public void RunDamaged(int seed, int count)
    {
        Random random = new(seed);
        for (int i = 0; i < count; i++)
        {
            byte[] input = Mutation.Of(GoodInputs[random.Next(GoodInputs.Count)], random);
            try
            {
                Run(input);
            }
            catch (Exception problem)
            {
                throw new FuzzException($"{Name}, seed {seed}, input {i} fails: {Convert.ToHexStringLower(input)}", problem);
            }
        }
    }
}

/// <summary>Reports a reader that exceeded its limits, or failed.</summary>
internal sealed class FuzzException(string message, Exception? cause = null) : Exception(message, cause);
