using System.Buffers.Binary;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace PerfTools.Ranks;

/// <summary>The first message of a rank to the port of rank 0.</summary>
/// <param name="Token">The token that all ranks of the run were given.</param>
/// <param name="RunId">The name of the run.</param>
/// <param name="Rank">The rank, 1 or more.</param>
/// <param name="Ranks">The number of ranks.</param>
/// <param name="Run">The number of the run among those that the ranks carry out one after another, from 1.</param>
internal sealed record PortHello(string Token, string RunId, int Rank, int Ranks, int Run = 1);

/// <summary>A request after it.</summary>
/// <param name="Kind">What is to be done, one of the constants.</param>
/// <param name="Name">The name of the file; of <see cref="End"/> empty.</param>
/// <param name="Text">The text of a file that is added or written.</param>
/// <param name="Size">
/// The number of bytes that follow a <see cref="File"/>, of files before an <see cref="End"/>, or of the file's bytes before <see cref="Lines"/>.
/// </param>
/// <param name="Hash">The SHA-256 of those bytes.</param>
internal sealed record PortRequest(string Kind, string Name, string? Text = null, long Size = 0, string? Hash = null)
{
    public const string Add = "add";
    public const string Write = "write";
    public const string Read = "read";
    public const string Has = "has";

    /// <summary>A result file, whose bytes follow.</summary>
    public const string File = "file";

    /// <summary>Lines that a role has written, while it still runs.</summary>
    public const string Lines = "lines";

    /// <summary>All result files are sent.</summary>
    public const string End = "end";
}

/// <summary>The answer to each message.</summary>
/// <param name="Is">The answer to a question; true for what was done.</param>
/// <param name="Text">The text of a file that was read; null for none.</param>
/// <param name="Problem">Why nothing was done; null when all was.</param>
/// <param name="IsEarly">True for a rank that is refused only until rank 0 has ended an earlier run.</param>
/// <param name="Utc">When it was sent, by the clock of rank 0.</param>
internal sealed record PortReply(bool Is, string? Text = null, string? Problem = null, bool IsEarly = false, DateTime Utc = default);

/// <summary>Why a rank is refused at the port of rank 0.</summary>
/// <param name="Problem">The reason.</param>
/// <param name="IsEarly"><inheritdoc cref="PortReply" path="/param[@name='IsEarly']"/></param>
internal sealed record PortRefusal(string Problem, bool IsEarly = false);

/// <summary>Reads and writes those messages: the length as four bytes, the most significant first, then JSON in UTF-8.</summary>
internal static class PortFrame
{
    /// <summary>Maximum bytes of a message of a rank that is known, and of an answer.</summary>
    public const int MaxBytes = 8 * 1024 * 1024;

    /// <summary>Maximum bytes of the first message.</summary>
    public const int MaxHelloBytes = 4 * 1024;

    private const int HeadBytes = 4;

    public static void Write<T>(Stream stream, T message, JsonTypeInfo<T> form)
    {
        byte[] body = JsonSerializer.SerializeToUtf8Bytes(message, form), frame = new byte[HeadBytes + body.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame, body.Length);
        body.CopyTo(frame, HeadBytes);
        stream.Write(frame);
    }

    /// <exception cref="IOException">The connection ended, or has been silent for too long.</exception>
    /// <exception cref="InvalidDataException">The bytes are no message.</exception>
    public static T Read<T>(Stream stream, int maxBytes, JsonTypeInfo<T> form)
        where T : class
    {
        Span<byte> head = stackalloc byte[HeadBytes];
        stream.ReadExactly(head);
        int length = BinaryPrimitives.ReadInt32BigEndian(head);
        if (length <= 0 || length > maxBytes)
            throw new InvalidDataException(FormattableString.Invariant($"a message of {length} bytes, of 1 to {maxBytes}"));
        byte[] body = new byte[length];
        stream.ReadExactly(body);
        try
        {
            return JsonSerializer.Deserialize(body, form) ?? throw new InvalidDataException("an empty message");
        }
        catch (JsonException cause)
        {
            throw new InvalidDataException("no message in JSON", cause);
        }
    }
}
