using System.Buffers.Binary;
using System.Text.Json;

namespace PerfCommon.Tests.Domains;

/// <summary>The messages of one recorded connection, in the order they were seen.</summary>
internal sealed class SessionRecording
{
    private const byte Extended = 0x01;
    private const byte Data = 0x02;
    private const byte Packed = 0x10;
    private const int HeaderBytes = 3;

    private SessionRecording(List<(bool FromClient, byte[] Bytes)> messages) => Messages = messages;

    public IReadOnlyList<(bool FromClient, byte[] Bytes)> Messages { get; }

    public static SessionRecording Load(string path)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(path));
        List<(bool, byte[])> messages = [];
        foreach (JsonElement frame in document.RootElement.GetProperty("frames").EnumerateArray())
        {
            bool fromClient = frame.GetProperty("dir").GetString() == "c2s";
            foreach (byte[] message in MessagesOf(Convert.FromHexString(frame.GetProperty("hex").GetString()!)))
                messages.Add((fromClient, message));
        }

        return new SessionRecording(messages);
    }

    private static IEnumerable<byte[]> MessagesOf(byte[] frame)
    {
        byte flags = frame[2];
        if ((flags & Data) == 0 || (flags & Extended) != 0 || frame.Length == HeaderBytes)
            yield break; // handshake or ping
        if ((flags & Packed) == 0)
        {
            yield return frame[HeaderBytes..];
            yield break;
        }

        for (int at = HeaderBytes; at < frame.Length;)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(frame.AsSpan(at));
            yield return frame.AsSpan(at + sizeof(ushort), length).ToArray();
            at += sizeof(ushort) + length;
        }
    }
}
