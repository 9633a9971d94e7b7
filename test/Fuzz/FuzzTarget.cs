namespace Fuzz;

/// <summary>Reads bytes that anybody may have made. What it says of them is its own; it may not throw, and not leave them.</summary>
internal delegate void FuzzReader(ReadOnlySpan<byte> input, ref FuzzTurns turns);

/// <summary>One reader of bytes from outside, its good inputs to begin with, and what it may cost.</summary>
/// <param name="Name">As the command line has it.</param>
/// <param name="Read">The reader's entry point.</param>
/// <param name="CreateSamples">Good inputs.</param>
/// <param name="FixedBytes">What it may allocate whatever the input.</param>
/// <param name="BytesPerByte">What it may allocate for each byte of the input.</param>
internal sealed record FuzzTarget(string Name, FuzzReader Read, Func<IEnumerable<byte[]>> CreateSamples, int FixedBytes, int BytesPerByte)
{
    private const int Samples = 8; // of the allocations of a call; a collection by another thread adds to one

    [ThreadStatic]
    private static GuardedBytes? _input;

    private byte[][]? _samples;

    /// <summary>Its good inputs.</summary>
    public IReadOnlyList<byte[]> GoodInputs => _samples ??= [.. CreateSamples()];

    /// <summary>Reads an input that ends where memory ends, and holds the reader to its limits.</summary>
    /// <exception cref="FuzzException">A limit was passed, or the reader said what cannot be.</exception>
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

    /// <summary>Reads so many damaged inputs; what fails is told with its bytes.</summary>
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

/// <summary>A reader passed its limits, or failed.</summary>
internal sealed class FuzzException(string message, Exception? cause = null) : Exception(message, cause);
